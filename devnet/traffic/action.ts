// What the planner hands out: a transaction that somebody signs and sends, or a deposit that comes from L1.

import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { KeyedAccount } from '../genesis/accounts.ts'

export type Action = Transaction | Deposit

export type Transaction = {
  readonly type: 'transaction'
  /** What a person would say is going on: `swap`, `mint star`. */
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
  /** Type 4: the sender's own account delegates to this code; the zero address ends that. */
  readonly delegateTo: Hex | null
  /** Some things go wrong on purpose. */
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
