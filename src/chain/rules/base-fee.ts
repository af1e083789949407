// EIP-1559: the base fee of a block, computed from its parent. On the OP Stack elasticity and denominator come from the chain's
// settings, since Holocene from the parent's extra data; since Jovian there is a minimum.

import { bytesToBigint } from '../bytes/hex.ts'
import type { Header } from '../codec/header.ts'
import type { Rules } from './forks.ts'

export type BaseFeeParameters = { readonly denominator: bigint; readonly elasticity: bigint }

export const ETHEREUM_BASE_FEE: BaseFeeParameters = { denominator: 8n, elasticity: 2n }
/** From Canyon on; before, the denominator was 50. */
export const OP_BASE_FEE: BaseFeeParameters = { denominator: 250n, elasticity: 6n }

export const INITIAL_BASE_FEE = 1_000_000_000n

/** `parentRules` are the rules of the parent block. `parameters` are those of the chain; the extra data of the parent overrides them. */
export function nextBaseFee(parent: Header, parentRules: Rules, parameters: BaseFeeParameters): bigint {
  if (!parentRules.london || parent.baseFeePerGas === undefined) return INITIAL_BASE_FEE
  const holocene = parentRules.holocene ? decodeHoloceneExtraData(parent.extraData) : null
  const { denominator, elasticity } = holocene ?? parameters
  // Since Jovian the data footprint of a block, which is stored in blobGasUsed, can fill it as gas does.
  const gasMetered = parentRules.jovian ? larger(parent.gasUsed, parent.blobGasUsed ?? 0n) : parent.gasUsed
  const target = parent.gasLimit / elasticity
  const fee = adjustedFee(parent.baseFeePerGas, { gasMetered, target, denominator })
  return larger(fee, holocene?.minBaseFee ?? 0n)
}

export type HoloceneExtraData = BaseFeeParameters & { /** Jovian. */ readonly minBaseFee: bigint | null }

/** `0x00 || denominator || elasticity`, or since Jovian `0x01 || denominator || elasticity || minBaseFee`. */
export function encodeHoloceneExtraData({ denominator, elasticity, minBaseFee }: HoloceneExtraData): Uint8Array {
  const bytes = new Uint8Array(minBaseFee === null ? 9 : 17)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, minBaseFee === null ? 0 : 1)
  view.setUint32(1, Number(denominator))
  view.setUint32(5, Number(elasticity))
  if (minBaseFee !== null) view.setBigUint64(9, minBaseFee)
  return bytes
}

/** Null if the bytes have neither form, or if denominator or elasticity is zero. */
export function decodeHoloceneExtraData(extraData: Uint8Array): HoloceneExtraData | null {
  const isJovian = extraData[0] === 1 && extraData.length === 17
  const isHolocene = extraData[0] === 0 && extraData.length === 9
  if (!isJovian && !isHolocene) return null
  const denominator = bytesToBigint(extraData, 1, 5)
  const elasticity = bytesToBigint(extraData, 5, 9)
  if (denominator === 0n || elasticity === 0n) return null
  return { denominator, elasticity, minBaseFee: isJovian ? bytesToBigint(extraData, 9, 17) : null }
}

function adjustedFee(fee: bigint, block: { gasMetered: bigint; target: bigint; denominator: bigint }): bigint {
  const { gasMetered, target, denominator } = block
  if (gasMetered === target) return fee
  if (gasMetered > target) return fee + larger((fee * (gasMetered - target)) / target / denominator, 1n)
  return larger(fee - (fee * (target - gasMetered)) / target / denominator, 0n)
}

function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
