// The records of the API that pages show, by the contract's own types.
import type { DataOf } from '../../src/contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../../src/contract/endpoints.ts'

export type Answered<N extends EndpointName> = DataOf<Endpoints[N]>
/** The one element of a paged answer. */
export type PageOf<N extends EndpointName> = Answered<N>[0]

export type BlockItem = PageOf<'blockList'>['blockList'][number]
export type BlockDetail = PageOf<'blockFills'>
export type TransactionItem = PageOf<'transactionList'>['transactionList'][number]
export type TransactionDetail = Answered<'transactionFills'>[number]
export type LogItem = Answered<'logsByTransaction'>[number]
export type TokenItem = PageOf<'tokenList'>['tokenList'][number]

/** Where a list stands and how it goes on. */
export type ListPosition = {
  readonly page: number
  readonly limit: number
  readonly totalPage: number
}

export function listPositionOf({
  page,
  limit,
  totalPage,
}: {
  page: string
  limit: string
  totalPage: string
}): ListPosition {
  return {
    page: Number(page),
    limit: Number(limit),
    totalPage: Number(totalPage),
  }
}
