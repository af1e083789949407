// The options and the result of executing a transaction.
import type { Log } from '../../chain/codec/log.ts'
import type { Tracer } from '../core/execution-frame.ts'
import type { L1Parameters } from './op-fees.ts'
import type { Refusal } from './refusal.ts'

export type Execution = ExecutionResult | Refusal

export type ExecutionResult = {
  readonly type: 'executed'
  readonly succeeded: boolean
  readonly gasUsed: bigint
  readonly logs: readonly Log[]
  /** Return data, or revert data. */
  readonly output: Uint8Array
  /** The error in geth's words; null if it succeeded. */
  readonly error: string | null
  /** The address of a created contract, even if the creation failed. */
  readonly contractAddress: bigint | null
  readonly effectiveGasPrice: bigint
  readonly blobGasUsed: bigint
  /** Null for deposits, and on chains outside the OP Stack. */
  readonly rollup: RollupFees | null
  /** The sender's nonce before a deposit. */
  readonly depositNonce: bigint | null
}

export type RollupFees = {
  readonly l1Fee: bigint
  readonly operatorFee: bigint
  readonly parameters: L1Parameters
}

export type ExecutionOptions = {
  readonly tracer?: Tracer | undefined
  /** Gas that earlier transactions of the block used. */
  readonly gasUsedBefore?: bigint
}
