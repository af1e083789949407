// Transactions of types that this program does not know. Chains add types of their own; such a transaction is stored and shown as the
// node reports it. Its bytes are not known, so neither its hash nor the transactions root of its block can be recomputed.
import type { Hex } from '../bytes/hex.ts'
import type { RecoveredTransaction } from './recovered-transaction.ts'

/** No EIP-2718 type is negative, so a switch over `type` separates a foreign transaction from all others. */
export const FOREIGN = -1 as const

export type ForeignTransaction = {
  readonly type: typeof FOREIGN
  /** The EIP-2718 type. */
  readonly typeNumber: number
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly to: bigint | null
  readonly value: bigint
  readonly data: Uint8Array
}

/** A transaction of a sealed block, of any type. `raw` is undefined where it cannot be encoded. */
export type BlockTransaction =
  | RecoveredTransaction
  | { readonly transaction: ForeignTransaction; readonly raw: undefined; readonly hash: Hex; readonly from: bigint }

export function isForeign(
  item: BlockTransaction,
): item is Extract<BlockTransaction, { readonly transaction: ForeignTransaction }> {
  return item.transaction.type === FOREIGN
}
