// The fees that a transaction offers, for every transaction type.
import type { AccessList } from '../codec/access-list.ts'
import { ACCESS_LIST, DEPOSIT, LEGACY, type Transaction } from '../codec/transaction.ts'

/** The highest price per gas; zero for a deposit, which pays nothing. */
export function maxFeePerGasOf(transaction: Transaction): bigint {
  switch (transaction.type) {
    case DEPOSIT:
      return 0n
    case LEGACY:
    case ACCESS_LIST:
      return transaction.gasPrice
    default:
      return transaction.maxFeePerGas
  }
}

export function maxPriorityFeePerGasOf(transaction: Transaction): bigint {
  switch (transaction.type) {
    case DEPOSIT:
      return 0n
    case LEGACY:
    case ACCESS_LIST:
      return transaction.gasPrice
    default:
      return transaction.maxPriorityFeePerGas
  }
}

/** EIP-1559: base fee plus priority fee, at most the limit. Before London the base fee is 0. */
export function effectiveGasPrice(transaction: Transaction, baseFee: bigint): bigint {
  const limit = maxFeePerGasOf(transaction)
  const wanted = baseFee + maxPriorityFeePerGasOf(transaction)
  if (wanted > limit) return limit
  return wanted
}

export function accessListOf(transaction: Transaction): AccessList {
  return 'accessList' in transaction ? transaction.accessList : NO_ACCESS_LIST
}

const NO_ACCESS_LIST: AccessList = []
