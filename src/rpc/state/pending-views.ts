// Preconfirmed blocks, and what is in them, as a full node shows them.
import { toQuantity } from '../../chain/bytes/hex.ts'
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

/** Asked for by many while it is the newest: written once. */
export function blockWithHashes(block: PendingBlock): JsonText {
  const texts = textsOf(block)
  texts.withHashes ??= blockText(
    block,
    block.transactions.map(({ recovered }) => recovered.hash),
  )
  return texts.withHashes
}

export function blockWithTransactions(block: PendingBlock): JsonText {
  const texts = textsOf(block)
  texts.withTransactions ??= blockText(
    block,
    block.transactions.map((_, index) => transactionAt(block, index)!),
  )
  return texts.withTransactions
}

/** Null where one of them is not known yet. */
export function receiptsText(block: PendingBlock): JsonText | null {
  const texts = textsOf(block)
  if (texts.receipts !== undefined) return texts.receipts
  const receipts = block.transactions.flatMap((_, index) => receiptAt(block, index) ?? [])
  if (receipts.length < block.transactions.length) return null
  texts.receipts = new JsonText(JSON.stringify(receipts))
  return texts.receipts
}

export function headerOf({ header, hash }: PendingBlock) {
  return headerToRpc(header, hash)
}

export function countOf({ transactions }: PendingBlock) {
  return toQuantity(transactions.length)
}

export function transactionAt(block: PendingBlock, index: number): RpcTransaction | null {
  const transaction = block.transactions[index]
  if (transaction === undefined) return null
  return transactionToRpc(transaction.recovered, inclusionAt(block, index), transaction.outcome?.receipt)
}

/** Null where it is not known yet. */
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

/** Of a transaction whose receipt is not known yet there are none. */
export function logsOf(block: PendingBlock, criteria: LogFilter): RpcLog[] {
  return block.transactions.flatMap(({ recovered, outcome }, index) =>
    (outcome?.receipt.logs ?? []).flatMap((log, i) => {
      if (!matchesLog(criteria, log)) return []
      const logIndex = outcome!.firstLogIndex + i
      return [logToRpc(log, { ...inclusionAt(block, index), transactionHash: recovered.hash, logIndex })]
    }),
  )
}

type Texts = { withHashes?: JsonText; withTransactions?: JsonText; receipts?: JsonText }

const texts = new WeakMap<PendingBlock, Texts>()

function textsOf(block: PendingBlock): Texts {
  const known = texts.get(block) ?? {}
  texts.set(block, known)
  return known
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
