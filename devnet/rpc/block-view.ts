// Blocks, transactions and receipts in the JSON-RPC format.
import { type LogFilter, matchesLog } from '../../src/chain/rpc/log-filter.ts'
import {
  blockToRpc,
  logToRpc,
  receiptToRpc,
  type TransactionLocation,
  transactionToRpc,
} from '../../src/chain/rpc/to-rpc.ts'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '../../src/chain/rpc/types.ts'
import type { ChainBlock } from '../chain/included-transaction.ts'

export function blockWithHashes(block: ChainBlock): RpcBlock {
  return blockToRpc({
    ...block,
    transactions: block.transactions.map(({ recovered }) => recovered.hash),
    withdrawals: [],
  })
}

export function blockWithTransactions(block: ChainBlock): RpcBlock {
  return blockToRpc({
    ...block,
    transactions: block.transactions.map((_, index) => transactionAt(block, index)!),
    withdrawals: [],
  })
}

export function transactionAt(block: ChainBlock, index: number): RpcTransaction | null {
  const included = block.transactions[index]
  if (included === undefined) return null
  return transactionToRpc(included.recovered, inclusionAt(block, index), included.receipt)
}

export function receiptAt(block: ChainBlock, index: number): RpcReceipt {
  const { recovered, receipt, ...execution } = block.transactions[index]!
  return receiptToRpc(recovered, receipt, { ...inclusionAt(block, index), ...execution })
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
      return [logToRpc(log, location)]
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
