import { type LogFilter, matchesLog } from '../../chain/rpc/log-filter.ts'
import {
  blockToRpc,
  headerToRpc,
  logToRpc,
  receiptToRpc,
  type TransactionLocation,
  transactionToRpc,
} from '../../chain/rpc/to-rpc.ts'
import type { RpcLog, RpcReceipt, RpcTransaction } from '../../chain/rpc/types.ts'
import { JsonText } from '../../lib/json/json-rpc.ts'
import { type PendingBlock, sizeOf } from '../../pending/pending-block.ts'
import { type BlockCache, cachedBlock } from './block-cache.ts'

/** Many clients ask for the newest block, so its JSON is built once. */
export function blockWithHashes(cache: BlockCache, block: PendingBlock): JsonText {
  const cached = cachedBlock(cache, block)
  cached.withHashes ??= blockText(
    block,
    block.transactions.map(({ recovered }) => recovered.hash),
  )
  return cached.withHashes
}

export function blockWithTransactions(cache: BlockCache, block: PendingBlock): JsonText {
  const cached = cachedBlock(cache, block)
  cached.withTransactions ??= blockText(
    block,
    block.transactions.map((_, index) => transactionAt(block, index)!),
  )
  return cached.withTransactions
}

/** Null if one of the receipts is not known yet. */
export function receiptsText(cache: BlockCache, block: PendingBlock): JsonText | null {
  const cached = cachedBlock(cache, block)
  if (cached.receipts !== undefined) return cached.receipts
  const receipts = block.transactions.flatMap((_, index) => receiptAt(block, index) ?? [])
  if (receipts.length < block.transactions.length) return null
  cached.receipts = new JsonText(JSON.stringify(receipts))
  return cached.receipts
}

export function headerOf({ header, hash }: PendingBlock) {
  return headerToRpc(header, hash)
}

export function transactionAt(block: PendingBlock, index: number): RpcTransaction | null {
  const transaction = block.transactions[index]
  if (transaction === undefined) return null
  return transactionToRpc(transaction.recovered, inclusionAt(block, index), transaction.outcome?.receipt)
}

/** Null if the receipt is not known yet. */
export function receiptAt(block: PendingBlock, index: number): RpcReceipt | null {
  const { recovered, outcome } = block.transactions[index]!
  if (outcome === null) return null
  const { receipt, gasUsed, contractAddress, firstLogIndex, opFees } = outcome
  return receiptToRpc(recovered, receipt, {
    ...inclusionAt(block, index),
    gasUsed,
    contractAddress,
    firstLogIndex,
    ...(opFees !== undefined && { opFees }),
  })
}

/** Without the logs of transactions whose receipt is not known yet. */
export function logsOf(block: PendingBlock, criteria: LogFilter): RpcLog[] {
  return block.transactions.flatMap(({ recovered, outcome }, index) =>
    (outcome?.receipt.logs ?? []).flatMap((log, indexInReceipt) => {
      if (!matchesLog(criteria, log)) return []
      const logIndex = outcome!.firstLogIndex + indexInReceipt
      return [logToRpc(log, { ...inclusionAt(block, index), transactionHash: recovered.hash, logIndex })]
    }),
  )
}

function blockText(block: PendingBlock, transactions: Parameters<typeof blockToRpc>[0]['transactions']): JsonText {
  const { header, hash } = block
  return new JsonText(JSON.stringify(blockToRpc({ header, hash, size: sizeOf(block), transactions, withdrawals: [] })))
}

function inclusionAt({ header, hash }: PendingBlock, transactionIndex: number): TransactionLocation {
  return {
    blockHash: hash,
    blockNumber: header.number,
    blockTimestamp: header.timestamp,
    transactionIndex,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
  }
}
