// How a transaction's fee is divided. On Ethereum the base fee and the blob fee are burnt; on the OP Stack each part goes to a vault.
import { BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from './addresses.ts'

/** Taken from the receipt; in wei except for the gas. All zero for a deposit. */
export type FeeFacts = {
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  /** OP Stack: the fee for data posted to L1. */
  readonly l1Fee: bigint
  readonly operatorFee: bigint
  /** Ethereum: the fee for blobs. */
  readonly blobFee: bigint
}

export type FeeBlock = { readonly miner: bigint; readonly baseFeePerGas: bigint; readonly isOp: boolean }

export function feeOf({ gasUsed, effectiveGasPrice, l1Fee, operatorFee, blobFee }: FeeFacts): bigint {
  return gasUsed * effectiveGasPrice + l1Fee + operatorFee + blobFee
}

/** The burnt part of the fee, in wei. */
export function burntOf({ gasUsed, blobFee }: FeeFacts, { baseFeePerGas, isOp }: FeeBlock): bigint {
  return isOp ? 0n : gasUsed * baseFeePerGas + blobFee
}

/** The part that the block producer receives. */
export function tipOf({ gasUsed, effectiveGasPrice }: FeeFacts, { baseFeePerGas }: FeeBlock): bigint {
  return gasUsed * (effectiveGasPrice - baseFeePerGas)
}

/** The amounts sum up to the fee minus the burnt part. */
export function feeReceivers(facts: FeeFacts, block: FeeBlock): readonly (readonly [receiver: bigint, wei: bigint])[] {
  const tip = [block.miner, tipOf(facts, block)] as const
  if (!block.isOp) return [tip]
  return [
    tip,
    [BASE_FEE_VAULT, facts.gasUsed * block.baseFeePerGas],
    [L1_FEE_VAULT, facts.l1Fee],
    [OPERATOR_FEE_VAULT, facts.operatorFee],
  ]
}
