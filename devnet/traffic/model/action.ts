// An action of the plan: a transaction that a simulated user signs and sends, or a deposit from L1.

import type { Hex } from '../../../src/chain/bytes/hex.ts'
import type { KeyedAccount } from '../../genesis/accounts.ts'

export type Action = Transaction | Deposit

export type Transaction = {
  readonly type: 'transaction'
  /** Short description: `swap`, `mint star`. */
  readonly label: string
  readonly from: KeyedAccount
  readonly nonce: number
  /** EIP-2718 type. */
  readonly kind: 0 | 1 | 2 | 4
  /** Null creates a contract. */
  readonly to: Hex | null
  readonly value: bigint
  readonly data: Hex
  readonly gas: number
  readonly tipWei: bigint
  /** Type 4: the sender's account delegates to this code; the zero address ends the delegation. */
  readonly delegateTo: Hex | null
  /** Some transactions revert on purpose. */
  readonly outcome: 'success' | 'revert'
}

export type Deposit = {
  readonly type: 'deposit'
  readonly label: string
  readonly from: Hex
  readonly to: Hex
  readonly mint: bigint
  readonly value: bigint
  readonly data: Hex
  readonly gas: number
}
