// A transaction that waits in a pool, as lists show it: from JSON-RPC, or from the bytes that a client sent.
import { addressToHex, bytesToHex, type Hex } from '../bytes/hex.ts'
import { FOREIGN, type ForeignTransaction } from '../codec/foreign-transaction.ts'
import type { RecoveredTransaction } from '../codec/recovered-transaction.ts'
import { DEPOSIT, type Transaction } from '../codec/transaction.ts'
import { maxFeePerGasOf } from '../rules/transaction-fees.ts'
import { addressOf, asObject, hashOf, isPresent, quantityOf } from './fields.ts'
import { blockTransactionFromRpc } from './transaction-from-rpc.ts'

export type PoolTransaction = {
  readonly hash: Hex
  readonly sender: Hex
  readonly recipient: Hex | null
  readonly value: bigint
  readonly nonce: number
  /** EIP-2718 type. */
  readonly type: number
  readonly gasLimit: number
  /** The most that it pays for gas: what it will pay is not known yet. */
  readonly gasPrice: bigint
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  /** Up to four bytes. */
  readonly method: Hex
  readonly input: Hex
  /** It waits for another one of its sender; undefined where only its hash is known to the node's pool. */
  readonly isQueued?: boolean
}

/** Throws `RpcFieldError` where the answer is no transaction. */
export function poolTransactionFromRpc(value: unknown): PoolTransaction {
  const raw = asObject(value, 'transaction')
  const transaction = blockTransactionFromRpc(raw)
  const gasPrice =
    transaction.type !== FOREIGN
      ? maxFeePerGasOf(transaction)
      : isPresent(raw, 'gasPrice')
        ? quantityOf(raw, 'gasPrice')
        : 0n
  return poolTransaction(transaction, { hash: hashOf(raw, 'hash'), from: addressOf(raw, 'from'), gasPrice })
}

export function poolTransactionFrom({ transaction, hash, from }: RecoveredTransaction): PoolTransaction {
  return poolTransaction(transaction, { hash, from, gasPrice: maxFeePerGasOf(transaction) })
}

function poolTransaction(
  transaction: Transaction | ForeignTransaction,
  { hash, from, gasPrice }: { readonly hash: Hex; readonly from: bigint; readonly gasPrice: bigint },
): PoolTransaction {
  return {
    hash,
    sender: addressToHex(from),
    recipient: transaction.to === null ? null : addressToHex(transaction.to),
    value: transaction.value,
    nonce: transaction.type === DEPOSIT ? 0 : asNumber(transaction.nonce),
    type: transaction.type === FOREIGN ? transaction.typeNumber : transaction.type,
    gasLimit: asNumber(transaction.gasLimit),
    gasPrice,
    maxFeePerGas: 'maxFeePerGas' in transaction ? transaction.maxFeePerGas : null,
    maxPriorityFeePerGas: 'maxPriorityFeePerGas' in transaction ? transaction.maxPriorityFeePerGas : null,
    method: bytesToHex(transaction.data.subarray(0, SELECTOR_BYTES)),
    input: bytesToHex(transaction.data),
  }
}

const SELECTOR_BYTES = 4

function asNumber(value: bigint): number {
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
}
