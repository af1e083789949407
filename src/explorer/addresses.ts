// E3, E4, E12 and their sisters: what an address did and what it holds.
import type { Hex } from '../chain/hex.ts'
import {
  type ActivityFilter,
  activityEnds,
  addressInternals,
  addressTransactions,
  addressTransfers,
  countActivity,
} from '../store/read/activity.ts'
import { firstBlockSinceTime } from '../store/read/blocks.ts'
import { transactionsAt } from '../store/read/in-chain.ts'
import { countNativeHolders, nativeHolders } from '../store/read/native-balances.ts'
import type { TokenKind } from '../store/rows.ts'
import { type AnswerTo, type ChainNow, chainNamesOf, viewOf } from './chain-now.ts'
import { positionList, rankedList } from './lists.ts'
import { emptyList, type PageWish, pageOf, WINDOW } from './paging.ts'
import { addressInternalListRecord, addressInternalRecord } from './records/internal-record.ts'
import { kindFrom, nativeUnits } from './records/parts.ts'
import { addressTransactionRecord, normalTransactionRecord } from './records/transaction-record.ts'
import { addressTransferRecord, tokenTransactionRecord } from './records/transfer-record.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

export const addressTransactionList: AnswerTo<'addressTransactionList'> = async (now, params) => {
  const { paging, records } = await recordsOfAddress(now, params)
  return { data: [{ ...paging, ...chainNamesOf(now), transactionLists: records }] }
}

export const normalTransactionList: AnswerTo<'normalTransactionList'> = async (now, params) => {
  const filter = await withinLastYear(now, filterFrom(params))
  const { rows, paging } = await pageOf(transactionsOf(now, filter), params)
  const view = await viewOf(now, rows)
  return { data: [{ ...paging, transactionList: rows.map((row) => normalTransactionRecord(view, row)) }] }
}

export const internalTransactionList: AnswerTo<'internalTransactionList'> = async (now, params) => {
  const { rows, paging } = await pageOf(internalsOf(now, filterFrom(params)), params)
  const view = await viewOf(now, rows)
  return { data: [{ ...paging, transactionList: rows.map((row) => addressInternalListRecord(view, row)) }] }
}

export const tokenTransactionList: AnswerTo<'tokenTransactionList'> = async (now, params) => {
  const { rows, paging } = await pageOf(transfersOf(now, filterFrom(params), kindFrom(params.protocolType)), params)
  const view = await viewOf(now, rows)
  return { data: [{ ...paging, transactionList: rows.map((row) => tokenTransactionRecord(view, row)) }] }
}

export const nativeTokenPositionList: AnswerTo<'nativeTokenPositionList'> = async ({ queries, names }, wish) => {
  const list = rankedList('native-holders', (page) => nativeHolders(queries, page), {
    count: () => countNativeHolders(queries, WINDOW),
    window: WINDOW,
  })
  const { rows, paging } = await pageOf(list, wish)
  const positionList = rows.map(({ rank, address, balance }) => ({
    rank: String(rank),
    symbol: names.symbol,
    address,
    holderAddress: address,
    amount: nativeUnits(balance),
  }))
  return { data: [{ ...paging, positionList }] }
}

type AddressParams = {
  readonly address: string
  readonly tokenContractAddress?: string | undefined
  readonly startBlockHeight?: number | undefined
  readonly endBlockHeight?: number | undefined
  readonly isFromOrTo?: 'from' | 'to' | undefined
}

const filterFrom = (params: AddressParams): ActivityFilter => ({
  address: params.address as Hex,
  token: params.tokenContractAddress as Hex | undefined,
  from: params.startBlockHeight,
  to: params.endBlockHeight,
  role: params.isFromOrTo,
})

const recordsOfAddress = async (
  now: ChainNow,
  params: AddressParams & PageWish & { readonly protocolType: string },
) => {
  // A token has no part in the transactions and calls of an address.
  const { token, ...filter } = filterFrom(params)
  switch (params.protocolType) {
    case 'transaction': {
      const { rows, paging } = await pageOf(transactionsOf(now, filter, WINDOW), params)
      const view = await viewOf(now, rows)
      return { paging, records: rows.map((row) => addressTransactionRecord(view, row)) }
    }
    case 'internal': {
      const { rows, paging } = await pageOf(internalsOf(now, filter, WINDOW), params)
      const view = await viewOf(now, rows)
      return { paging, records: rows.map((row) => addressInternalRecord(view, row)) }
    }
    default: {
      const list = transfersOf(now, { ...filter, token }, kindFrom(params.protocolType), WINDOW)
      const { rows, paging } = await pageOf(list, params)
      const view = await viewOf(now, rows)
      return { paging, records: rows.map((row) => addressTransferRecord(view, row)) }
    }
  }
}

const transactionsOf = ({ queries }: ChainNow, filter: ActivityFilter, window?: number) =>
  positionList('address-transactions', (page) => addressTransactions(queries, filter, page), {
    count: () => countActivity(queries, { ...filter, kind: 'transaction' }, window),
    window,
  })

const internalsOf = ({ queries }: ChainNow, filter: ActivityFilter, window?: number) =>
  positionList('address-internals', (page) => addressInternals(queries, filter, page), {
    count: () => countActivity(queries, { ...filter, kind: 'internal' }, window),
    window,
  })

const transfersOf = ({ queries }: ChainNow, filter: ActivityFilter, kind: TokenKind | undefined, window?: number) =>
  kind === undefined
    ? emptyList<Awaited<ReturnType<typeof addressTransfers>>[number]>()
    : positionList('address-transfers', (page) => addressTransfers(queries, { ...filter, kind }, page), {
        count: () => countActivity(queries, { ...filter, kind }, window),
        window,
      })

/** §8: E4 looks back one year from the last transaction that the filter lets through. */
const withinLastYear = async ({ queries }: ChainNow, filter: ActivityFilter): Promise<ActivityFilter> => {
  const ends = await activityEnds(queries, { ...filter, kind: 'transaction' })
  if (!ends) return filter
  const [last] = await transactionsAt(queries, [ends.last])
  const first = last && (await firstBlockSinceTime(queries, last.block.timestampMs - YEAR_MS))
  return { ...filter, from: Math.max(filter.from ?? 0, first?.height ?? 0) }
}
