// E7, E8, E10, E11, E13 and E14: transactions, by the newest and by hash.
import type { Hex } from '../chain/bytes/hex.ts'
import { amountAtMost } from '../lib/numbers/decimal.ts'
import { blockByHash } from '../store/read/blocks.ts'
import { countInternalsOfTransactions, internalsOfTransactions } from '../store/read/internals.ts'
import { traceGapsAt } from '../store/read/trace-gaps.ts'
import {
  blockTransactions,
  countLargeTransactions,
  countTransactions,
  largeTransactions,
  latestTransactions,
} from '../store/read/transactions.ts'
import { countTransfersOfTransactions, transfersOfTransactions } from '../store/read/transfers.ts'
import { positionOf } from '../store/schema/position.ts'
import type { BlockRow } from '../store/schema/rows.ts'
import { pendingOfBlock, storedBlock } from './blocks.ts'
import {
  afterPending,
  beforePending,
  emptyList,
  type List,
  type PageRequest,
  pageOf,
  positionList,
  WINDOW,
} from './lists/paging.ts'
import { pageAnswer, recordsOf } from './lists/records-of.ts'
import { internalsOf as internalsOfPending, transfersOf } from './pending-parts.ts'
import { hasPending, isPoolShown, type PendingFilter, pendingSide } from './pending-transactions.ts'
import type { ListedInternal } from './records/internal-record.ts'
import { kindFrom, NATIVE_DECIMALS, storable } from './records/parts.ts'
import type { ListedTransaction } from './records/transaction-record.ts'
import type { ListedTransfer } from './records/transfer-record.ts'
import { type AnswerTo, type ChainContext, chainNamesOf } from './state/chain-context.ts'
import { findTransactions } from './transactions-by-hash.ts'

export const largeTransactionList: AnswerTo<'largeTransactionList'> = async (chain, { type, height, ...request }) => {
  const isPending = height !== undefined && pendingOfBlock(chain, height).length > 0
  if (height !== undefined && !isPending) await storedBlock(chain, height)
  const { above, pendingFilter } = largeFilter({ type, height })
  const filter = { above, from: height, to: height }
  const list = positionList<ListedTransaction>('large', (page) => largeTransactions(chain.reader, filter, page), {
    count: () => countLargeTransactions(chain.reader, filter),
  })
  return listed(chain, afterPending(await pendingSide(chain, pendingFilter), list), request)
}

/** Strictly more than a threshold finer than a wei is strictly more than the wei below it. */
function largeFilter({ type, height }: { readonly type: string; readonly height?: number | undefined }) {
  const above = storable(amountAtMost(type, NATIVE_DECIMALS))
  const pendingFilter: PendingFilter = {
    matches: ({ value, block, isQueued }) =>
      value > above && !isQueued && (height === undefined || block.height === height),
  }
  return { above, pendingFilter }
}

export function showsPendingLarge(
  chain: ChainContext,
  params: { readonly type: string; readonly height?: number | undefined },
): boolean {
  return hasPending(chain, largeFilter(params).pendingFilter)
}

/** What waits for another transaction may wait for ever; it would stand before all others. */
const NOT_QUEUED: PendingFilter = { matches: ({ isQueued }) => !isQueued }

export const transactionList: AnswerTo<'transactionList'> = async (chain, { blockHash, height, ...request }) => {
  if (blockHash === undefined && height === undefined) {
    const list = positionList<ListedTransaction>('latest', (page) => latestTransactions(chain.reader, page), {
      count: () => countTransactions(chain.reader, WINDOW),
      window: WINDOW,
    })
    return listed(chain, afterPending(await pendingSide(chain, NOT_QUEUED), list), request)
  }
  const pending = blockHash === undefined && height !== undefined ? pendingOfBlock(chain, height) : []
  if (pending.length > 0) {
    return listed(
      chain,
      afterPending({ pending: pending.toReversed() }, emptyList<ListedTransaction>('latest')),
      request,
    )
  }
  const block = await requestedBlock(chain, { blockHash, height })
  return listed(chain, block ? newestOfBlock(chain, block) : emptyList(), request)
}

export function showsPendingNewest(
  chain: ChainContext,
  { blockHash, height }: { readonly blockHash?: Hex | undefined; readonly height?: number | undefined },
): boolean {
  if (blockHash !== undefined) return false
  return height === undefined ? hasPending(chain, NOT_QUEUED) : height > chain.heads.latest
}

/** Preconfirmed transactions and those of the pool. */
export const unconfirmedTransactionList: AnswerTo<'unconfirmedTransactionList'> = async (chain, request) => {
  const list = afterPending(await pendingSide(chain, {}), emptyList<ListedTransaction>('unconfirmed'))
  const { rows, paging } = await pageOf(list, request)
  const fields = {
    pendingComplete: isPoolShown(chain),
    pendingNote: chain.pool ? (chain.pool.missing() ?? '') : NO_NODE,
  }
  const transactionList = await recordsOf(chain, rows, 'latestTransaction')
  return pageAnswer({ ...paging, ...chainNamesOf(chain), ...fields }, { transactionList })
}

const NO_NODE = 'no node is connected'

export const transactionMulti: AnswerTo<'transactionMulti'> = async (chain, { txId }) => {
  const { stored, pending, notes } = await findTransactions(chain, txId)
  const { records, json } = await recordsOf<'normalTransaction'>(chain, [...pending, ...stored], 'normalTransaction')
  return { data: records, dataJson: json, ...notes }
}

export const tokenTransferMulti: AnswerTo<'tokenTransferMulti'> = async (chain, { txId, protocolType, ...request }) => {
  const kind = protocolType === undefined ? undefined : kindFrom(protocolType)
  const { stored, pending, notes } = await findTransactions(chain, txId)
  const filter = { positions: stored.map(({ pos }) => pos), kind }
  const hasNone = protocolType !== undefined && kind === undefined
  const list = hasNone
    ? emptyList<ListedTransfer>()
    : beforePending<ListedTransfer>(
        positionList('transfers-by-hash', (page) => transfersOfTransactions(chain.reader, filter, page), {
          count: () => countTransfersOfTransactions(chain.reader, filter),
        }),
        pending.flatMap(transfersOf).filter((transfer) => kind === undefined || transfer.kind === kind),
      )
  const { rows, paging } = await pageOf(list, request)
  const records = await recordsOf(chain, rows, 'transferOfTransaction')
  return { ...pageAnswer(paging, { tokenTransferDetails: records, transactionList: records }), ...notes }
}

export const internalTransactionMulti: AnswerTo<'internalTransactionMulti'> = async (chain, { txId, ...request }) => {
  const { list, internalTransactionsComplete, notes } = await internalsByHash(chain, txId)
  const { rows, paging } = await pageOf(list, request)
  const records = await recordsOf(chain, rows, 'internalOfBatch')
  const page = pageAnswer(
    { ...paging, internalTransactionsComplete },
    { internalTransactionDetails: records, transactionList: records },
  )
  return { ...page, ...notes }
}

export const internalTransactionDetail: AnswerTo<'internalTransactionDetail'> = async (chain, { txId, ...request }) => {
  const { list, internalTransactionsComplete, notes } = await internalsByHash(chain, [txId])
  const { rows, paging } = await pageOf(list, request)
  const internalTransactionDetails = await recordsOf(chain, rows, 'internalDetail')
  return { ...pageAnswer({ ...paging, internalTransactionsComplete }, { internalTransactionDetails }), ...notes }
}

/** Above every stored position. */
const PENDING_CALLS = positionOf(2 ** 33 - 1, 0)

/** A walk that began while one of them was pending does not go on after it was sealed: their positions differ. */
async function internalsByHash(chain: ChainContext, hashes: readonly Hex[]) {
  const { stored, pending, notes } = await findTransactions(chain, hashes)
  const positions = stored.map(({ pos }) => pos)
  const [gaps, traced] = await Promise.all([
    traceGapsAt(chain.reader, positions),
    Promise.all(pending.map((row) => internalsOfPending(chain, row))),
  ])
  const name = pending.length === 0 ? 'internals-by-hash' : 'pending-internals-by-hash'
  const list = positionList(name, (page) => internalsOfTransactions(chain.reader, { positions }, page), {
    count: () => countInternalsOfTransactions(chain.reader, { positions }),
  })
  // Positions of calls begin again with every pending transaction, and a list must not have one twice.
  const calls = traced.flatMap(({ internals }) => internals).map((row, i) => ({ ...row, pos: PENDING_CALLS + i }))
  return {
    list: beforePending<ListedInternal>(list, calls),
    internalTransactionsComplete: gaps.size === 0 && traced.every(({ isComplete }) => isComplete),
    notes,
  }
}

async function listed(chain: ChainContext, list: List<ListedTransaction>, request: PageRequest) {
  const { rows, paging } = await pageOf(list, request)
  const transactionList = await recordsOf(chain, rows, 'latestTransaction')
  const pendingComplete = isPoolShown(chain)
  return pageAnswer({ ...paging, ...chainNamesOf(chain), pendingComplete }, { transactionList })
}

/** Undefined where no block has the hash, or where the hash is not that of the height. */
async function requestedBlock(
  chain: ChainContext,
  { blockHash, height }: { blockHash: Hex | undefined; height: number | undefined },
): Promise<BlockRow | undefined> {
  const byHeight = height === undefined ? undefined : await storedBlock(chain, height)
  if (blockHash === undefined) return byHeight
  const byHash = await blockByHash(chain.reader, blockHash)
  return byHeight === undefined || byHeight.hash === blockHash ? byHash : undefined
}

function newestOfBlock({ reader }: ChainContext, { height, transactionCount }: BlockRow): List<ListedTransaction> {
  return positionList<ListedTransaction>(
    'latest',
    (page) => blockTransactions(reader, { height, order: 'newest' }, page),
    {
      count: async () => transactionCount,
    },
  )
}
