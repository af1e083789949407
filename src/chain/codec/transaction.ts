// The transactions of Ethereum and the OP Stack, as a union by EIP-2718 type.

import type { Hex } from '../bytes/hex.ts'
import type { Signature } from '../bytes/secp256k1.ts'
import type { AccessList } from './access-list.ts'
import type { Authorization } from './authorization.ts'

// `as const` preserves the literal type when the constant is used in an object.
export const LEGACY = 0 as const
export const ACCESS_LIST = 1 as const
export const FEE_MARKET = 2 as const
export const BLOB = 3 as const
export const SET_CODE = 4 as const
export const DEPOSIT = 0x7e as const

export type Transaction = SignedTransaction | DepositTransaction

export type SignedTransaction =
  | LegacyTransaction
  | AccessListTransaction
  | FeeMarketTransaction
  | BlobTransaction
  | SetCodeTransaction

export type TransactionType = Transaction['type']

export function isTransactionType(type: number): type is TransactionType {
  return (type >= LEGACY && type <= SET_CODE) || type === DEPOSIT
}

export type LegacyTransaction = Payload & {
  readonly type: typeof LEGACY
  /** Null without replay protection (EIP-155). */
  readonly chainId: bigint | null
  readonly gasPrice: bigint
}

/** EIP-2930. */
export type AccessListTransaction = Payload & {
  readonly type: typeof ACCESS_LIST
  readonly chainId: bigint
  readonly gasPrice: bigint
  readonly accessList: AccessList
}

/** EIP-1559. */
export type FeeMarketTransaction = Payload & DynamicFees & { readonly type: typeof FEE_MARKET }

/** EIP-4844. */
export type BlobTransaction = Payload &
  DynamicFees & {
    readonly type: typeof BLOB
    readonly to: bigint
    readonly maxFeePerBlobGas: bigint
    readonly blobVersionedHashes: readonly bigint[]
  }

/** EIP-7702. */
export type SetCodeTransaction = Payload &
  DynamicFees & {
    readonly type: typeof SET_CODE
    readonly to: bigint
    readonly authorizationList: readonly Authorization[]
  }

/** OP Stack: comes from L1, pays no fees, and names its sender instead of a signature. */
export type DepositTransaction = {
  readonly type: typeof DEPOSIT
  readonly sourceHash: Hex
  readonly from: bigint
  readonly to: bigint | null
  readonly mint: bigint
  readonly value: bigint
  readonly gasLimit: bigint
  readonly isSystemTx: boolean
  readonly data: Uint8Array
}

/** A transaction before it is signed. The conditional type distributes over the union. */
export type Unsigned<T extends SignedTransaction = SignedTransaction> = T extends unknown ? Omit<T, 'signature'> : never

type Payload = {
  readonly nonce: bigint
  /** Up to 2^64. This value is exact; the engine clamps it. */
  readonly gasLimit: bigint
  readonly to: bigint | null
  readonly value: bigint
  readonly data: Uint8Array
  readonly signature: Signature
}

type DynamicFees = {
  readonly chainId: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly accessList: AccessList
}
