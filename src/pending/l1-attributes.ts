// What the first deposit of an OP block tells about L1: the prices of the block's rollup fees, known before anything has run.

import { bytesToBigint, bytesToHex } from '../chain/bytes/hex.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../chain/codec/transaction.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from '../chain/rules/addresses.ts'
import type { L1Parameters } from '../evm/transaction/op-fees.ts'

/** Null where it is no such deposit, or one from before Ecotone. */
export function l1ParametersFrom({ transaction, from }: RecoveredTransaction): L1Parameters | null {
  const { data } = transaction
  if (transaction.type !== DEPOSIT || from !== L1_ATTRIBUTES_DEPOSITOR || data.length < SHORTEST) return null
  if (!SELECTORS.has(bytesToHex(data.subarray(0, 4)))) return null
  // Packed, not ABI-encoded; each fork put its fields behind, and what is not there is zero.
  const read = (start: number, end: number) => bytesToBigint(data.subarray(start, end))
  return {
    baseFeeScalar: read(4, 8),
    blobBaseFeeScalar: read(8, 12),
    baseFee: read(36, 68),
    blobBaseFee: read(68, 100),
    operatorFeeScalar: read(164, 168),
    operatorFeeConstant: read(168, 176),
    daFootprintGasScalar: read(176, 178) || DEFAULT_DA_FOOTPRINT_SCALAR,
  }
}

/** Ecotone, Isthmus, Jovian. */
const SELECTORS: ReadonlySet<string> = new Set(['0x440a5e20', '0x098999be', '0x3db6be2b'])
const SHORTEST = 164
const DEFAULT_DA_FOOTPRINT_SCALAR = 400n
