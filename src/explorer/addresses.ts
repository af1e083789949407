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
import { areCallsComplete } from '../store/read/trace-gaps.ts'
import type { TokenKind } from '../store/schema/rows.ts'
import { afterPending, emptyList, type PageRequest, pageOf, positionList, rankedList, WINDOW } from './lists/paging.ts'
import { pageAnswer, recordsOf, withL1Origins } from './lists/records-of.ts'
import { listMarks } from './native-balances.ts'
import { pendingTransfers } from './pending-parts.ts'
import { hasPending, isPoolShown, type PendingFilter, pendingSide, preconfirmed } from './pending-transactions.ts'
import { kindFrom, nativeUnits } from './records/parts.ts'
import type { ListedTransaction } from './records/transaction-record.ts'
import type { ListedTransfer } from './records/transfer-record.ts'
import { type AnswerTo, type ChainContext, chainNamesOf } from './state/chain-context.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

export const addressTransactionList: AnswerTo<'addressTransactionList'> = async (chain, params) => {
  const { paging, records, ...marks } = await recordsOfAddress(chain, params)
  const pendingComplete = isPendingComplete(chain, params.protocolType)
  return pageAnswer({ ...paging, ...chainNamesOf(chain), ...marks, pendingComplete }, { transactionLists: records })
}

export const normalTransactionList: AnswerTo<'normalTransactionList'> = async (chain, params) => {
  const filter = await withinLastYear(chain, filterFrom(params))
  const { rows, paging } = await pageOf(await transactionsOf(chain, filter), params)
  const pendingComplete = isPendingComplete(chain, 'transaction')
  return pageAnswer(
    { ...paging, pendingComplete },
    { transactionList: await recordsOf(chain, rows, 'normalTransaction') },
  )
}

export const internalTransactionList: AnswerTo<'internalTransactionList'> = async (chain, params) => {
  const filter = filterFrom(params)
  const { rows, paging } = await pageOf(internalsOf(chain, filter), params)
  const transactionList = await recordsOf(chain, rows, 'addressInternalList')
  const pendingComplete = isPendingComplete(chain, 'internal')
  return pageAnswer({ ...paging, ...(await internalMarks(chain, filter)), pendingComplete }, { transactionList })
}

export const tokenTransactionList: AnswerTo<'tokenTransactionList'> = async (chain, params) => {
  const { rows, paging } = await pageOf(transfersOf(chain, filterFrom(params), kindFrom(params.protocolType)), params)
  const pendingComplete = isPendingComplete(chain, params.protocolType)
  return pageAnswer(
    { ...paging, pendingComplete },
    { transactionList: await recordsOf(chain, rows, 'tokenTransaction') },
  )
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
      const { rows, paging } = await pageOf(await transactionsOf(chain, filter, WINDOW), params)
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

/** E3 shows the newest records only (`window`), E4 those of a year. */
async function transactionsOf(chain: ChainContext, filter: ActivityFilter, window?: number) {
  const { reader } = chain
  const stored = { ...filter, to: belowPending(chain, filter) }
  return afterPending<ListedTransaction>(
    await pendingSide(chain, pendingFilter(filter)),
    positionList<ListedTransaction>('address-transactions', (page) => addressTransactions(reader, stored, page), {
      count: () => countActivity(reader, { ...stored, kind: 'transaction' }, window),
      window,
    }),
  )
}

function belowPending({ heads: { latest } }: ChainContext, { to }: ActivityFilter): number {
  return Math.min(to ?? latest, latest)
}

/** What waits in a pool has no height: it comes after every block. */
function pendingFilter({ address, role, from = 0, to = Number.POSITIVE_INFINITY }: ActivityFilter): PendingFilter {
  return {
    address,
    matches: ({ sender, recipient, contractAddress, block: { height } }) =>
      (height === null ? to === Number.POSITIVE_INFINITY : height >= from && height <= to) &&
      (role === undefined || (role === 'from' ? sender === address : [recipient, contractAddress].includes(address))),
  }
}

/** Whether a list by address shows pending rows, which are included or dropped at any moment. */
export function showsPending(chain: ChainContext, params: AddressParams & { readonly protocolType: string }): boolean {
  if (params.protocolType === 'transaction') return hasPending(chain, pendingFilter(filterFrom(params)))
  if (params.protocolType === 'internal') return preconfirmed(chain).length > 0
  return pendingTransfers(chain, { ...filterFrom(params), kind: kindFrom(params.protocolType) }).length > 0
}

/** Of preconfirmed transactions only the calls of one that is asked for by hash are known. */
function isPendingComplete(chain: ChainContext, protocolType: string): boolean {
  return protocolType === 'internal' ? preconfirmed(chain).length === 0 : isPoolShown(chain)
}

function internalsOf({ reader }: ChainContext, filter: ActivityFilter, window?: number) {
  return positionList('address-internals', (page) => addressInternals(reader, filter, page), {
    count: () => countActivity(reader, { ...filter, kind: 'internal' }, window),
    window,
  })
}

/** A block that was not traced may have had calls of any address. */
async function internalMarks({ reader }: ChainContext, { from, to }: ActivityFilter) {
  return { internalTransactionsComplete: await areCallsComplete(reader, { from, to }) }
}

function transfersOf(chain: ChainContext, filter: ActivityFilter, kind: TokenKind | undefined, window?: number) {
  if (kind === undefined) return emptyList<ListedTransfer>()
  const { reader } = chain
  const stored = { ...filter, to: belowPending(chain, filter), kind }
  return afterPending<ListedTransfer>(
    { pending: pendingTransfers(chain, { ...filter, kind }) },
    positionList<ListedTransfer>('address-transfers', (page) => addressTransfers(reader, stored, page), {
      count: () => countActivity(reader, stored, window),
      window,
    }),
  )
}

/** §8: E4 shows one year, counted back from the last transaction that matches the filter. */
async function withinLastYear({ reader }: ChainContext, filter: ActivityFilter): Promise<ActivityFilter> {
  const ends = await activityEnds(reader, { ...filter, kind: 'transaction' })
  if (!ends) return filter
  const [last] = await transactionsAt(reader, [ends.last])
  const first = last && (await firstBlockSinceTime(reader, last.block.timestampMs - YEAR_MS))
  return { ...filter, from: Math.max(filter.from ?? 0, first?.height ?? 0) }
}
