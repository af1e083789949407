// E7, E8, E10, E11, E13 and E14: transactions, by the newest and by hash.
import type { Hex } from '../chain/bytes/hex.ts'
import { amountAtMost } from '../lib/numbers/decimal.ts'
import { blockByHash } from '../store/read/blocks.ts'
import type { InTransaction } from '../store/read/in-chain.ts'
import { countInternalsOfTransactions, internalsOfTransactions } from '../store/read/internals.ts'
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
import { positionList } from './lists/lists.ts'
import { emptyList, type List, type PageWish, pageOf, WINDOW } from './lists/paging.ts'
import { recordsOf } from './lists/records-of.ts'
import { internalDetailRecord, internalOfBatchRecord } from './records/internal-record.ts'
import { kindFrom, NATIVE_DECIMALS, storable } from './records/parts.ts'
import { latestTransactionRecord, normalTransactionRecord } from './records/transaction-record.ts'
import { transferOfTransactionRecord } from './records/transfer-record.ts'
import { type AnswerTo, type ChainNow, chainNamesOf } from './state/chain-now.ts'

export const largeTransactionList: AnswerTo<'largeTransactionList'> = async (now, { type, height, ...wish }) => {
  if (height !== undefined) await storedBlock(now, height)
  // Strictly more than a threshold finer than a wei is strictly more than the wei below it.
  const filter = { above: storable(amountAtMost(type, NATIVE_DECIMALS)), from: height, to: height }
  const list = positionList('large', (page) => largeTransactions(now.queries, filter, page), {
    count: () => countLargeTransactions(now.queries, filter),
  })
  return listed(now, list, wish)
}

export const transactionList: AnswerTo<'transactionList'> = async (now, { blockHash, height, ...wish }) => {
  if (blockHash === undefined && height === undefined) {
    const list = positionList('latest', (page) => latestTransactions(now.queries, page), {
      count: () => countTransactions(now.queries, WINDOW),
      window: WINDOW,
    })
    return listed(now, list, wish)
  }
  const block = await blockAsked(now, { blockHash: blockHash as Hex | undefined, height })
  return listed(now, block ? newestOfBlock(now, block) : emptyList(), wish)
}

export const transactionMulti: AnswerTo<'transactionMulti'> = async (now, { txId }) => {
  const rows = await transactionsByHash(now.queries, unique(txId))
  return { data: await recordsOf(now, rows, normalTransactionRecord) }
}

export const tokenTransferMulti: AnswerTo<'tokenTransferMulti'> = async (now, { txId, protocolType, ...wish }) => {
  const kind = protocolType === undefined ? undefined : kindFrom(protocolType)
  const filter = { positions: await positionsOf(now, txId), kind }
  const hasNone = protocolType !== undefined && kind === undefined
  const list = hasNone
    ? emptyList<InTransaction<TransferRow>>()
    : positionList('transfers-by-hash', (page) => transfersOfTransactions(now.queries, filter, page), {
        count: () => countTransfersOfTransactions(now.queries, filter),
      })
  const { rows, paging } = await pageOf(list, wish)
  const records = await recordsOf(now, rows, transferOfTransactionRecord)
  return { data: [{ ...paging, tokenTransferDetails: records, transactionList: records }] }
}

export const internalTransactionMulti: AnswerTo<'internalTransactionMulti'> = async (now, { txId, ...wish }) => {
  const { rows, paging } = await pageOf(internalsOf(now, await positionsOf(now, txId)), wish)
  const records = await recordsOf(now, rows, internalOfBatchRecord)
  return { data: [{ ...paging, internalTransactionDetails: records, transactionList: records }] }
}

export const internalTransactionDetail: AnswerTo<'internalTransactionDetail'> = async (now, { txId, ...wish }) => {
  const { rows, paging } = await pageOf(internalsOf(now, await positionsOf(now, [txId])), wish)
  return { data: [{ ...paging, internalTransactionDetails: await recordsOf(now, rows, internalDetailRecord) }] }
}

type ListedRows = List<Parameters<typeof latestTransactionRecord>[1]>

async function listed(now: ChainNow, list: ListedRows, wish: PageWish) {
  const { rows, paging } = await pageOf(list, wish)
  const transactionList = await recordsOf(now, rows, latestTransactionRecord)
  const page = { ...paging, ...chainNamesOf(now), transactionList }
  return { data: [page] satisfies [typeof page] }
}

/** Undefined where no block has the hash, or the height is another's. */
async function blockAsked(
  now: ChainNow,
  { blockHash, height }: { blockHash: Hex | undefined; height: number | undefined },
): Promise<BlockRow | undefined> {
  const byHeight = height === undefined ? undefined : await storedBlock(now, height)
  if (blockHash === undefined) return byHeight
  const byHash = await blockByHash(now.queries, blockHash)
  return byHeight === undefined || byHeight.hash === blockHash ? byHash : undefined
}

function newestOfBlock({ queries }: ChainNow, { height, transactionCount }: BlockRow): ListedRows {
  return positionList('latest', (page) => blockTransactions(queries, { height, order: 'newest' }, page), {
    count: async () => transactionCount,
  })
}

function internalsOf({ queries }: ChainNow, positions: readonly number[]): List<InTransaction<InternalRow>> {
  return positionList('internals-by-hash', (page) => internalsOfTransactions(queries, { positions }, page), {
    count: () => countInternalsOfTransactions(queries, { positions }),
  })
}

async function positionsOf({ queries }: ChainNow, hashes: readonly string[]): Promise<number[]> {
  return (await transactionsByHash(queries, unique(hashes))).map(({ pos }) => pos)
}

/** A hash that is given twice is answered once. */
function unique(hashes: readonly string[]): Hex[] {
  return [...new Set(hashes)] as Hex[]
}
