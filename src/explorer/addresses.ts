// E3, E4, E12 and their sisters: what an address did and what it holds.
import type { Hex } from '../chain/bytes/hex.ts'
import {
  type ActivityFilter,
  activityEnds,
  addressInternals,
  addressTransactions,
  addressTransfers,
  countActivity,
} from '../store/read/activity.ts'
import { firstBlockSinceTime } from '../store/read/blocks.ts'
import { transactionsAt } from '../store/read/chain-rows.ts'
import { countNativeHolders, nativeHolders } from '../store/read/native-balances.ts'
import { hasTraceGaps } from '../store/read/trace-gaps.ts'
import type { TokenKind } from '../store/schema/rows.ts'
import { withL1Origins } from './lists/l1-origins.ts'
import { emptyList, type PageRequest, pageOf, positionList, rankedList, WINDOW } from './lists/paging.ts'
import { pageAnswer, recordsOf } from './lists/records-of.ts'
import { listMarks } from './native-balances.ts'
import { afterPending, pendingTransactions } from './pending-transactions.ts'
import { kindFrom, nativeUnits } from './records/parts.ts'
import { type AnswerTo, type ChainContext, chainNamesOf } from './state/chain-context.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

export const addressTransactionList: AnswerTo<'addressTransactionList'> = async (chain, params) => {
  const { paging, records, ...marks } = await recordsOfAddress(chain, params)
  return pageAnswer({ ...paging, ...chainNamesOf(chain), ...marks }, { transactionLists: records })
}

export const normalTransactionList: AnswerTo<'normalTransactionList'> = async (chain, params) => {
  const filter = await withinLastYear(chain, filterFrom(params))
  const { rows, paging } = await pageOf(transactionsWithPending(chain, filter), params)
  return pageAnswer(paging, { transactionList: await recordsOf(chain, rows, 'normalTransaction') })
}

export const internalTransactionList: AnswerTo<'internalTransactionList'> = async (chain, params) => {
  const filter = filterFrom(params)
  const { rows, paging } = await pageOf(internalsOf(chain, filter), params)
  const transactionList = await recordsOf(chain, rows, 'addressInternalList')
  return pageAnswer({ ...paging, ...(await internalMarks(chain, filter)) }, { transactionList })
}

export const tokenTransactionList: AnswerTo<'tokenTransactionList'> = async (chain, params) => {
  const { rows, paging } = await pageOf(transfersOf(chain, filterFrom(params), kindFrom(params.protocolType)), params)
  return pageAnswer(paging, { transactionList: await recordsOf(chain, rows, 'tokenTransaction') })
}

export const nativeTokenPositionList: AnswerTo<'nativeTokenPositionList'> = async (chain, request) => {
  const { reader, names } = chain
  const list = rankedList('native-holders', (page) => nativeHolders(reader, page), {
    count: () => countNativeHolders(reader, WINDOW),
    window: WINDOW,
  })
  const { rows, paging } = await pageOf(list, request)
  const positionList = rows.map(({ rank, address, balance }) => ({
    rank: String(rank),
    symbol: names.symbol,
    address,
    holderAddress: address,
    amount: nativeUnits(balance),
  }))
  return { data: [{ ...paging, ...listMarks(chain), positionList }] }
}

type AddressParams = {
  readonly address: Hex
  readonly tokenContractAddress?: Hex | undefined
  readonly startBlockHeight?: number | undefined
  readonly endBlockHeight?: number | undefined
  readonly isFromOrTo?: 'from' | 'to' | undefined
}

function filterFrom(params: AddressParams): ActivityFilter {
  return {
    address: params.address,
    token: params.tokenContractAddress,
    from: params.startBlockHeight,
    to: params.endBlockHeight,
    role: params.isFromOrTo,
  }
}

async function recordsOfAddress(
  chain: ChainContext,
  params: AddressParams & PageRequest & { readonly protocolType: string },
) {
  // Only lists of transfers have a token.
  const { token, ...filter } = filterFrom(params)
  switch (params.protocolType) {
    case 'transaction': {
      const { rows, paging } = await pageOf(transactionsWithPending(chain, filter, WINDOW), params)
      return { paging, records: await withL1Origins(chain, rows, await recordsOf(chain, rows, 'addressTransaction')) }
    }
    case 'internal': {
      const { rows, paging } = await pageOf(internalsOf(chain, filter, WINDOW), params)
      const records = await withL1Origins(chain, rows, await recordsOf(chain, rows, 'addressInternal'))
      return { paging, records, ...(await internalMarks(chain, filter)) }
    }
    default: {
      const list = transfersOf(chain, { ...filter, token }, kindFrom(params.protocolType), WINDOW)
      const { rows, paging } = await pageOf(list, params)
      return { paging, records: await withL1Origins(chain, rows, await recordsOf(chain, rows, 'addressTransfer')) }
    }
  }
}

function transactionsOf({ reader }: ChainContext, filter: ActivityFilter, window?: number) {
  return positionList('address-transactions', (page) => addressTransactions(reader, filter, page), {
    count: () => countActivity(reader, { ...filter, kind: 'transaction' }, window),
    window,
  })
}

/** E3 shows the newest records only (`window`), E4 those of a year. */
function transactionsWithPending(chain: ChainContext, filter: ActivityFilter, window?: number) {
  const pending = pendingTransactions(chain.ledger, chain.heads, filter)
  if (pending.length === 0) return transactionsOf(chain, filter, window)
  const { latest } = chain.heads
  return afterPending(pending, transactionsOf(chain, { ...filter, to: Math.min(filter.to ?? latest, latest) }, window))
}

/** Whether E3 or E4 shows pending transactions, which are included or dropped at any moment. */
export function showsPending(chain: ChainContext, params: AddressParams & { readonly protocolType: string }): boolean {
  return (
    params.protocolType === 'transaction' &&
    pendingTransactions(chain.ledger, chain.heads, filterFrom(params)).length > 0
  )
}

function internalsOf({ reader }: ChainContext, filter: ActivityFilter, window?: number) {
  return positionList('address-internals', (page) => addressInternals(reader, filter, page), {
    count: () => countActivity(reader, { ...filter, kind: 'internal' }, window),
    window,
  })
}

/** A block that was not traced may have had calls of any address. */
async function internalMarks({ reader }: ChainContext, { from, to }: ActivityFilter) {
  return { internalTransactionsComplete: !(await hasTraceGaps(reader, { from, to })) }
}

function transfersOf({ reader }: ChainContext, filter: ActivityFilter, kind: TokenKind | undefined, window?: number) {
  return kind === undefined
    ? emptyList<Awaited<ReturnType<typeof addressTransfers>>[number]>()
    : positionList('address-transfers', (page) => addressTransfers(reader, { ...filter, kind }, page), {
        count: () => countActivity(reader, { ...filter, kind }, window),
        window,
      })
}

/** §8: E4 shows one year, counted back from the last transaction that matches the filter. */
async function withinLastYear({ reader }: ChainContext, filter: ActivityFilter): Promise<ActivityFilter> {
  const ends = await activityEnds(reader, { ...filter, kind: 'transaction' })
  if (!ends) return filter
  const [last] = await transactionsAt(reader, [ends.last])
  const first = last && (await firstBlockSinceTime(reader, last.block.timestampMs - YEAR_MS))
  return { ...filter, from: Math.max(filter.from ?? 0, first?.height ?? 0) }
}
