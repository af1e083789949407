// A block of the node after all checks: complete, and consistent with its header.

import type { Hex } from '../../chain/bytes/hex.ts'
import type { BlockTransaction } from '../../chain/codec/foreign-transaction.ts'
import type { Header } from '../../chain/codec/header.ts'
import type { Receipt } from '../../chain/codec/receipt.ts'
import type { Withdrawal } from '../../chain/codec/withdrawal.ts'
import type { UnknownFields } from '../../chain/rpc/unknown-fields.ts'
import type { CallFrame } from '../../chain/trace/call-frame.ts'

export type NodeBlock = {
  readonly hash: Hex
  readonly header: Header
  /** The time of the block; the header counts whole seconds only. */
  readonly timestampMs: number
  /** Bytes of the encoded block. */
  readonly size: number
  /** Fees go to the vaults of the OP Stack, and no base fee is burnt. */
  readonly isOp: boolean
  readonly transactions: readonly BlockTransaction[]
  readonly uncles: readonly Hex[]
  readonly withdrawals: readonly Withdrawal[]
  /** One a transaction, in order. */
  readonly receipts: readonly NodeReceipt[]
  /**
   * The outermost call of each transaction, in order, null where none was made or it could not be read; null altogether where the node
   * reports none.
   */
  readonly traces: readonly (CallFrame | null)[] | null
  /** Why `traces` is null. */
  readonly noTracesReason: string | null
  /** Transactions with call frames that could not be read. */
  readonly unreadTraces: readonly UnreadTrace[]
  /** Fields of the header that this program does not know. */
  readonly unknownFields: UnknownFields | undefined
  /** The same of each transaction and of its receipt. */
  readonly unknownTransactionFields: readonly (UnknownFields | undefined)[]
}

export type UnreadTrace = { readonly transactionIndex: number; readonly frames: number; readonly reason: string }

/** What consensus knows of a receipt, and what a node adds. Fees are in wei, zero where the chain has none of the kind. */
export type NodeReceipt = {
  readonly receipt: Receipt
  readonly contractAddress: bigint | null
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  readonly l1Fee: bigint
  readonly operatorFee: bigint
  readonly blobFee: bigint
  readonly unknownFields: UnknownFields | undefined
}
