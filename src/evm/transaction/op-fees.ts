// The fees of an OP transaction besides gas: its share of the data posted to L1, and the operator fee. The parameters are in the storage
// of the L1Block contract; the attributes deposit, the first transaction of each block, writes them.
import { L1_BLOCK } from '../../chain/rules/addresses.ts'
import type { Rules } from '../../chain/rules/forks.ts'
import type { WorldState } from '../state/world-state.ts'
import { fastLzLength } from './fastlz.ts'

export type L1Parameters = {
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
  readonly operatorFeeScalar: bigint
  readonly operatorFeeConstant: bigint
  readonly daFootprintGasScalar: bigint
}

export function l1Parameters(world: WorldState): L1Parameters {
  const l1Block = world.record(L1_BLOCK)
  const read = (slot: bigint) => world.slot(l1Block, slot).value
  const scalars = read(SCALARS_SLOT)
  const operator = read(OPERATOR_SLOT)
  return {
    baseFee: read(BASE_FEE_SLOT),
    blobBaseFee: read(BLOB_BASE_FEE_SLOT),
    baseFeeScalar: BigInt.asUintN(32, scalars >> 96n),
    blobBaseFeeScalar: BigInt.asUintN(32, scalars >> 64n),
    operatorFeeConstant: BigInt.asUintN(64, operator),
    operatorFeeScalar: BigInt.asUintN(32, operator >> 64n),
    daFootprintGasScalar: BigInt.asUintN(16, operator >> 96n) || DEFAULT_DA_FOOTPRINT_SCALAR,
  }
}

/** `raw` is the signed transaction as the batch contains it. */
export function l1Fee(rules: Rules, parameters: L1Parameters, raw: Uint8Array): bigint {
  const price =
    16n * parameters.baseFeeScalar * parameters.baseFee + parameters.blobBaseFeeScalar * parameters.blobBaseFee
  if (rules.fjord) return (scaledSize(raw) * price) / 1_000_000_000_000n
  return (calldataGas(raw) * price) / 16_000_000n
}

/** The `l1GasUsed` of a receipt. */
export function l1GasUsed(rules: Rules, raw: Uint8Array): bigint {
  return rules.fjord ? (scaledSize(raw) * 16n) / SIZE_SCALE : calldataGas(raw)
}

export function operatorFee(rules: Rules, parameters: L1Parameters, gas: bigint): bigint {
  if (!rules.isthmus) return 0n
  const { operatorFeeScalar: scalar, operatorFeeConstant: constant } = parameters
  return (rules.jovian ? gas * scalar * 100n : (gas * scalar) / 1_000_000n) + constant
}

/** Jovian: how much of the block's gas limit the data of a transaction uses. */
export function daFootprint(parameters: L1Parameters, raw: Uint8Array): bigint {
  return (scaledSize(raw) / SIZE_SCALE) * parameters.daFootprintGasScalar
}

const BASE_FEE_SLOT = 1n
const SCALARS_SLOT = 3n
const BLOB_BASE_FEE_SLOT = 7n
const OPERATOR_SLOT = 8n
const DEFAULT_DA_FOOTPRINT_SCALAR = 400n

// Fjord: a linear estimate of the size of a transaction in a compressed batch, in millionths of a byte.
const SIZE_SCALE = 1_000_000n
const MIN_SIZE = 100_000_000
const SIZE_PER_BYTE = 836_500
const SIZE_INTERCEPT = -42_585_600

function scaledSize(raw: Uint8Array): bigint {
  return BigInt(Math.max(MIN_SIZE, SIZE_INTERCEPT + SIZE_PER_BYTE * fastLzLength(raw)))
}

function calldataGas(raw: Uint8Array): bigint {
  let gas = 0
  for (const byte of raw) gas += byte === 0 ? 4 : 16
  return BigInt(gas)
}
