// The block around a transaction, as its header describes it. Operations such as TIMESTAMP and COINBASE read it.
import type { Rules } from '../../chain/rules/forks.ts'

export type BlockEnv = {
  readonly chainId: bigint
  readonly rules: Rules
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly gasLimit: bigint
  readonly coinbase: bigint
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
  /** The difficulty before the merge. */
  readonly prevRandao: bigint
}
