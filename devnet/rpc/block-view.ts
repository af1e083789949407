// Blocks, transactions and receipts in the JSON-RPC format.

import { addressToHex, type Hex, toQuantity } from '../../src/chain/bytes/hex.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { type LogFilter, matchesLog } from '../../src/chain/rpc/log-filter.ts'
import {
  blockToRpc,
  headerToRpc,
  logToRpc,
  receiptToRpc,
  type TransactionLocation,
  transactionToRpc,
} from '../../src/chain/rpc/to-rpc.ts'
import type { RpcBlock, RpcHeader, RpcLog, RpcReceipt, RpcTransaction } from '../../src/chain/rpc/types.ts'
import { blockTimeOf, type ChainBlock, millisecondsOf } from '../chain/included-transaction.ts'

import { isSponsored, SPONSORED } from '../chain/own-transaction.ts'
import { SPONSOR } from '../genesis/own-rules.ts'

export function blockWithHashes(block: ChainBlock): RpcBlock {
  const transactions = block.transactions.map(({ recovered }) => recovered.hash)
  return { ...blockToRpc({ ...block, transactions, withdrawals: [] }), ...timeFields(block) }
}

export function blockWithTransactions(block: ChainBlock): RpcBlock {
  const transactions = block.transactions.map((_, index) => transactionAt(block, index)!)
  return { ...blockToRpc({ ...block, transactions, withdrawals: [] }), ...timeFields(block) }
}

export function headerOf(block: ChainBlock): RpcHeader {
  return { ...headerToRpc(block.header, block.hash), ...timeFields(block) }
}

export function transactionAt(block: ChainBlock, index: number): RpcTransaction | null {
  const included = block.transactions[index]
  if (included === undefined) return null
  const { recovered, receipt } = included
  const shown = transactionToRpc(recovered, inclusionAt(block, index), receipt)
  return { ...shown, ...blockTimeFields(block), ...typeFields(recovered) }
}

/** A transaction of the pool. */
export function waitingTransaction(recovered: RecoveredTransaction): RpcTransaction {
  return { ...transactionToRpc(recovered, null), ...typeFields(recovered) }
}

export function receiptAt(block: ChainBlock, index: number): RpcReceipt {
  const { recovered, receipt, ...execution } = block.transactions[index]!
  const shown = receiptToRpc(recovered, receipt, { ...inclusionAt(block, index), ...execution })
  const time = blockTimeFields(block)
  return { ...shown, logs: shown.logs.map((log) => ({ ...log, ...time })), ...time, ...typeFields(recovered) }
}

export function receiptsOf(block: ChainBlock): RpcReceipt[] {
  return block.transactions.map((_, index) => receiptAt(block, index))
}

export function logsOf(block: ChainBlock, criteria: LogFilter): RpcLog[] {
  return block.transactions.flatMap(({ recovered, receipt, firstLogIndex }, index) =>
    receipt.logs.flatMap((log, offset) => {
      if (!matchesLog(criteria, log)) return []
      const location = {
        ...inclusionAt(block, index),
        transactionHash: recovered.hash,
        logIndex: firstLogIndex + offset,
      }
      return [{ ...logToRpc(log, location), ...blockTimeFields(block) }]
    }),
  )
}

function inclusionAt({ header, hash }: ChainBlock, transactionIndex: number): TransactionLocation {
  return {
    blockHash: hash,
    blockNumber: header.number,
    blockTimestamp: header.timestamp,
    transactionIndex,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
  }
}

/** Of a block or its header. */
export function timeFields(block: ChainBlock): { readonly timestampMs?: Hex } {
  return millisecondsOf(block) === undefined ? {} : { timestampMs: toQuantity(blockTimeOf(block)) }
}

/** Of a transaction, a receipt or a log. */
export function blockTimeFields(block: ChainBlock): { readonly blockTimestampMs?: Hex } {
  return millisecondsOf(block) === undefined ? {} : { blockTimestampMs: toQuantity(blockTimeOf(block)) }
}

/** Of a transaction or its receipt. */
export function typeFields(recovered: RecoveredTransaction): { readonly type?: Hex; readonly payer?: Hex } {
  return isSponsored(recovered) ? { type: toQuantity(SPONSORED), payer: addressToHex(SPONSOR) } : {}
}
