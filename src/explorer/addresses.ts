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
import { transactionsAt } from '../store/read/in-chain.ts'
import { countNativeHolders, nativeHolders } from '../store/read/native-balances.ts'
import type { TokenKind } from '../store/schema/rows.ts'
import { positionList, rankedList } from './lists/lists.ts'
import { emptyList, type PageWish, pageOf, WINDOW } from './lists/paging.ts'
import { recordsOf } from './lists/records-of.ts'
import { afterPending, pendingTransactions } from './pending-transactions.ts'
import { addressInternalListRecord, addressInternalRecord } from './records/internal-record.ts'
import { kindFrom, nativeUnits } from './records/parts.ts'
import { addressTransactionRecord, normalTransactionRecord } from './records/transaction-record.ts'
import { addressTransferRecord, tokenTransactionRecord } from './records/transfer-record.ts'
import { type AnswerTo, type ChainNow, chainNamesOf } from './state/chain-now.ts'
import { withL1Origins } from './state/l1-origins.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

export const addressTransactionList: AnswerTo<'addressTransactionList'> = async (now, params) => {
  const { paging, records } = await recordsOfAddress(now, params)
  return { data: [{ ...paging, ...chainNamesOf(now), transactionLists: records }] }
}

export const normalTransactionList: AnswerTo<'normalTransactionList'> = async (now, params) => {
  const filter = await withinLastYear(now, filterFrom(params))
  const { rows, paging } = await pageOf(transactionsOf(now, filter), params)
  return { data: [{ ...paging, transactionList: await recordsOf(now, rows, normalTransactionRecord) }] }
}

export const internalTransactionList: AnswerTo<'internalTransactionList'> = async (now, params) => {
  const { rows, paging } = await pageOf(internalsOf(now, filterFrom(params)), params)
  return { data: [{ ...paging, transactionList: await recordsOf(now, rows, addressInternalListRecord) }] }
}

export const tokenTransactionList: AnswerTo<'tokenTransactionList'> = async (now, params) => {
  const { rows, paging } = await pageOf(transfersOf(now, filterFrom(params), kindFrom(params.protocolType)), params)
  return { data: [{ ...paging, transactionList: await recordsOf(now, rows, tokenTransactionRecord) }] }
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

function filterFrom(params: AddressParams): ActivityFilter {
  return {
    address: params.address as Hex,
    token: params.tokenContractAddress as Hex | undefined,
    from: params.startBlockHeight,
    to: params.endBlockHeight,
    role: params.isFromOrTo,
  }
}

async function recordsOfAddress(now: ChainNow, params: AddressParams & PageWish & { readonly protocolType: string }) {
  // A token has no part in the transactions and calls of an address.
  const { token, ...filter } = filterFrom(params)
  switch (params.protocolType) {
    case 'transaction': {
      const { rows, paging } = await pageOf(transactionsWithPending(now, filter), params)
      return { paging, records: await withL1Origins(now, rows, await recordsOf(now, rows, addressTransactionRecord)) }
    }
    case 'internal': {
      const { rows, paging } = await pageOf(internalsOf(now, filter, WINDOW), params)
      return { paging, records: await withL1Origins(now, rows, await recordsOf(now, rows, addressInternalRecord)) }
    }
    default: {
      const list = transfersOf(now, { ...filter, token }, kindFrom(params.protocolType), WINDOW)
      const { rows, paging } = await pageOf(list, params)
      return { paging, records: await withL1Origins(now, rows, await recordsOf(now, rows, addressTransferRecord)) }
    }
  }
}

function transactionsOf({ queries }: ChainNow, filter: ActivityFilter, window?: number) {
  return positionList('address-transactions', (page) => addressTransactions(queries, filter, page), {
    count: () => countActivity(queries, { ...filter, kind: 'transaction' }, window),
    window,
  })
}

function transactionsWithPending(now: ChainNow, filter: ActivityFilter) {
  const pending = pendingTransactions(now.ledger, now.heads, filter)
  if (pending.length === 0) return transactionsOf(now, filter, WINDOW)
  const { latest } = now.heads
  return afterPending(pending, transactionsOf(now, { ...filter, to: Math.min(filter.to ?? latest, latest) }, WINDOW))
}

/** Whether E3 shows what will be gone or included at any moment. */
export function showsPending(now: ChainNow, params: AddressParams & { readonly protocolType: string }): boolean {
  return (
    params.protocolType === 'transaction' && pendingTransactions(now.ledger, now.heads, filterFrom(params)).length > 0
  )
}

function internalsOf({ queries }: ChainNow, filter: ActivityFilter, window?: number) {
  return positionList('address-internals', (page) => addressInternals(queries, filter, page), {
    count: () => countActivity(queries, { ...filter, kind: 'internal' }, window),
    window,
  })
}

function transfersOf({ queries }: ChainNow, filter: ActivityFilter, kind: TokenKind | undefined, window?: number) {
  return kind === undefined
    ? emptyList<Awaited<ReturnType<typeof addressTransfers>>[number]>()
    : positionList('address-transfers', (page) => addressTransfers(queries, { ...filter, kind }, page), {
        count: () => countActivity(queries, { ...filter, kind }, window),
        window,
      })
}

/** §8: E4 looks back one year from the last transaction that the filter lets through. */
async function withinLastYear({ queries }: ChainNow, filter: ActivityFilter): Promise<ActivityFilter> {
  const ends = await activityEnds(queries, { ...filter, kind: 'transaction' })
  if (!ends) return filter
  const [last] = await transactionsAt(queries, [ends.last])
  const first = last && (await firstBlockSinceTime(queries, last.block.timestampMs - YEAR_MS))
  return { ...filter, from: Math.max(filter.from ?? 0, first?.height ?? 0) }
}
