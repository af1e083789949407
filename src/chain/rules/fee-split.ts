// Who pays a transaction's fee and who gets it. On Ethereum the base fee and the blob fee are burnt; on the OP Stack each part has its vault.
import { BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from './addresses.ts'

/** What the receipt says, in wei except for the gas. All zero for a deposit. */
export type FeeFacts = {
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  /** OP Stack: the share of the data posted to L1. */
  readonly l1Fee: bigint
  readonly operatorFee: bigint
  /** Ethereum: what the blobs cost. */
  readonly blobFee: bigint
}

export type FeeBlock = { readonly miner: bigint; readonly baseFeePerGas: bigint; readonly isOp: boolean }

export function feeOf({ gasUsed, effectiveGasPrice, l1Fee, operatorFee, blobFee }: FeeFacts): bigint {
  return gasUsed * effectiveGasPrice + l1Fee + operatorFee + blobFee
}

/** Wei of the fee that nobody gets. */
export function burntOf({ gasUsed, blobFee }: FeeFacts, { baseFeePerGas, isOp }: FeeBlock): bigint {
  return isOp ? 0n : gasUsed * baseFeePerGas + blobFee
}

/** The block producer's part. */
export function tipOf({ gasUsed, effectiveGasPrice }: FeeFacts, { baseFeePerGas }: FeeBlock): bigint {
  return gasUsed * (effectiveGasPrice - baseFeePerGas)
}

/** Fee = what these get + what is burnt. */
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
