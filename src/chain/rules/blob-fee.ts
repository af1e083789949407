// EIP-4844: the price of blob gas, and the excess that carries over from block to block. Since Osaka EIP-7918 ties the price to that of
// execution. OP chains have no blobs, so their excess stays zero.

import type { Header } from '../codec/header.ts'
import type { BlobParameters, Rules } from './forks.ts'

export const GAS_PER_BLOB = 131_072n

/** Excess blob gas of the block after `parent`; `rules` are those of the new block. */
export function nextExcessBlobGas(parent: Header, rules: Rules): bigint {
  if (rules.op || rules.blobs === null) return 0n
  const { excessBlobGas: excess = 0n, blobGasUsed: used = 0n } = parent
  const target = BigInt(rules.blobs.target) * GAS_PER_BLOB
  if (excess + used < target) return 0n
  if (rules.osaka && isExecutionMoreExpensive(parent, rules.blobs)) {
    return excess + (used * BigInt(rules.blobs.max - rules.blobs.target)) / BigInt(rules.blobs.max)
  }
  return excess + used - target
}

/** Price of one blob gas in wei. The parameters are those of the block that has this excess. */
export function blobBaseFee(excessBlobGas: bigint, { updateFraction }: BlobParameters): bigint {
  return fakeExponential(MIN_BASE_FEE_PER_BLOB_GAS, excessBlobGas, updateFraction)
}

const MIN_BASE_FEE_PER_BLOB_GAS = 1n
/** EIP-7918: execution gas that a blob must at least cost. */
const BLOB_BASE_COST = 8_192n

function isExecutionMoreExpensive(parent: Header, blobs: BlobParameters): boolean {
  const blobPrice = GAS_PER_BLOB * blobBaseFee(parent.excessBlobGas ?? 0n, blobs)
  return BLOB_BASE_COST * (parent.baseFeePerGas ?? 0n) > blobPrice
}

/** factor * e ** (numerator / denominator), by the series that the EIP specifies. */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let sum = 0n
  let term = factor * denominator
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * numerator) / (denominator * i)
  }
  return sum / denominator
}
