// E7, E8, E10, E11, E13 and E14: transactions, by the newest and by hash.
import type { Hex } from '../chain/bytes/hex.ts'
import { amountAtMost } from '../lib/numbers/decimal.ts'
import { blockByHash } from '../store/read/blocks.ts'
import type { InTransaction } from '../store/read/chain-rows.ts'
import { countInternalsOfTransactions, internalsOfTransactions } from '../store/read/internals.ts'
import { traceGapsAt } from '../store/read/trace-gaps.ts'
import {
  blockTransactions,
  countLargeTransactions,
  countTransactions,
  largeTransactions,
  latestTransactions,
  transactionsByHash,
} from '../store/read/transactions.ts'
import { countTransfersOfTransactions, transfersOfTransactions } from '../store/read/transfers.ts'
import type { BlockRow, InternalRow, TransferRow } from '../store/schema/rows.ts'
import { storedBlock } from './blocks.ts'
import { emptyList, type List, type PageRequest, pageOf, positionList, WINDOW } from './lists/paging.ts'
import { pageAnswer, recordsOf } from './lists/records-of.ts'
import { pendingByHash } from './pending-transactions.ts'
import { kindFrom, NATIVE_DECIMALS, storable } from './records/parts.ts'
import type { ListedTransaction } from './records/transaction-record.ts'
import { type AnswerTo, type ChainContext, chainNamesOf } from './state/chain-context.ts'

export const largeTransactionList: AnswerTo<'largeTransactionList'> = async (chain, { type, height, ...request }) => {
  if (height !== undefined) await storedBlock(chain, height)
  // Strictly more than a threshold finer than a wei is strictly more than the wei below it.
  const filter = { above: storable(amountAtMost(type, NATIVE_DECIMALS)), from: height, to: height }
  const list = positionList('large', (page) => largeTransactions(chain.reader, filter, page), {
    count: () => countLargeTransactions(chain.reader, filter),
  })
  return listed(chain, list, request)
}

export const transactionList: AnswerTo<'transactionList'> = async (chain, { blockHash, height, ...request }) => {
  if (blockHash === undefined && height === undefined) {
    const list = positionList('latest', (page) => latestTransactions(chain.reader, page), {
      count: () => countTransactions(chain.reader, WINDOW),
      window: WINDOW,
    })
    return listed(chain, list, request)
  }
  const block = await requestedBlock(chain, { blockHash, height })
  return listed(chain, block ? newestOfBlock(chain, block) : emptyList(), request)
}

export const transactionMulti: AnswerTo<'transactionMulti'> = async (chain, { txId }) => {
  const stored = await transactionsByHash(chain.reader, unique(txId))
  const known = new Set(stored.map(({ hash }) => hash))
  const pending = pendingByHash(
    chain.ledger,
    chain.heads,
    unique(txId).filter((hash) => !known.has(hash)),
  )
  const rows: ListedTransaction[] = [...pending, ...stored]
  const { records, json } = await recordsOf(chain, rows, 'normalTransaction')
  return { data: records, dataJson: json }
}

/** Whether E10 shows pending transactions. */
export function showsPendingHashes(
  { ledger, heads }: ChainContext,
  { txId }: { readonly txId: readonly Hex[] },
): boolean {
  return pendingByHash(ledger, heads, txId).length > 0
}

export const tokenTransferMulti: AnswerTo<'tokenTransferMulti'> = async (chain, { txId, protocolType, ...request }) => {
  const kind = protocolType === undefined ? undefined : kindFrom(protocolType)
  const filter = { positions: await positionsOf(chain, txId), kind }
  const hasNone = protocolType !== undefined && kind === undefined
  const list = hasNone
    ? emptyList<InTransaction<TransferRow>>()
    : positionList('transfers-by-hash', (page) => transfersOfTransactions(chain.reader, filter, page), {
        count: () => countTransfersOfTransactions(chain.reader, filter),
      })
  const { rows, paging } = await pageOf(list, request)
  const records = await recordsOf(chain, rows, 'transferOfTransaction')
  return pageAnswer(paging, { tokenTransferDetails: records, transactionList: records })
}

export const internalTransactionMulti: AnswerTo<'internalTransactionMulti'> = async (chain, { txId, ...request }) => {
  const positions = await positionsOf(chain, txId)
  const { rows, paging } = await pageOf(internalsOf(chain, positions), request)
  const records = await recordsOf(chain, rows, 'internalOfBatch')
  return pageAnswer(
    { ...paging, ...(await completenessOf(chain, positions)) },
    { internalTransactionDetails: records, transactionList: records },
  )
}

export const internalTransactionDetail: AnswerTo<'internalTransactionDetail'> = async (chain, { txId, ...request }) => {
  const positions = await positionsOf(chain, [txId])
  const { rows, paging } = await pageOf(internalsOf(chain, positions), request)
  const internalTransactionDetails = await recordsOf(chain, rows, 'internalDetail')
  return pageAnswer({ ...paging, ...(await completenessOf(chain, positions)) }, { internalTransactionDetails })
}

async function completenessOf({ reader }: ChainContext, positions: readonly number[]) {
  return { internalTransactionsComplete: (await traceGapsAt(reader, positions)).size === 0 }
}

async function listed(chain: ChainContext, list: List<ListedTransaction>, request: PageRequest) {
  const { rows, paging } = await pageOf(list, request)
  const transactionList = await recordsOf(chain, rows, 'latestTransaction')
  return pageAnswer({ ...paging, ...chainNamesOf(chain) }, { transactionList })
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
  return positionList('latest', (page) => blockTransactions(reader, { height, order: 'newest' }, page), {
    count: async () => transactionCount,
  })
}

function internalsOf({ reader }: ChainContext, positions: readonly number[]): List<InTransaction<InternalRow>> {
  return positionList('internals-by-hash', (page) => internalsOfTransactions(reader, { positions }, page), {
    count: () => countInternalsOfTransactions(reader, { positions }),
  })
}

async function positionsOf({ reader }: ChainContext, hashes: readonly Hex[]): Promise<number[]> {
  return (await transactionsByHash(reader, unique(hashes))).map(({ pos }) => pos)
}

/** A hash that is given twice is answered once. */
function unique(hashes: readonly Hex[]): Hex[] {
  return [...new Set(hashes)]
}
