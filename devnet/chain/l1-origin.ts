// The simulated L1 of the devnet: a block every twelve seconds, with changing fees.
import { bigintToBytes, bytesToBigint, bytesToHex, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import type { L1Parameters } from '../../src/evm/transaction/op-fees.ts'
import type { Protocol } from './protocol.ts'

export type L1Origin = {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly hash: Hex
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
  /** Number of earlier blocks of this chain with the same origin. */
  readonly sequenceNumber: number
}

/** The newest L1 block that a block of this time may name. */
export function l1NumberAt(timestamp: number): number {
  return MERGE_NUMBER + Math.floor((timestamp - LAG_S - MERGE_TIMESTAMP) / L1_BLOCK_S)
}

export function originAfter(protocol: Protocol, parent: L1Origin | null, number: number): L1Origin {
  return {
    number,
    timestamp: MERGE_TIMESTAMP + (number - MERGE_NUMBER) * L1_BLOCK_S,
    hash: protocol.seeded(`l1 block ${number}`),
    baseFee: wandering(protocol, 'l1 base fee', number) * BASE_FEE_UNIT,
    blobBaseFee: wandering(protocol, 'l1 blob base fee', number) * BLOB_FEE_UNIT,
    sequenceNumber: parent?.number === number ? parent.sequenceNumber + 1 : 0,
  }
}

/** Calldata of the attributes deposit: packed, not ABI-encoded. */
export function encodeAttributes({ rules, seeded }: Protocol, origin: L1Origin): Uint8Array {
  const data = new Uint8Array(rules.jovian ? JOVIAN_BYTES : ISTHMUS_BYTES)
  const view = new DataView(data.buffer)
  data.set(hexToBytes(rules.jovian ? SET_JOVIAN : SET_ISTHMUS))
  view.setUint32(4, BASE_FEE_SCALAR)
  view.setUint32(8, BLOB_BASE_FEE_SCALAR)
  view.setBigUint64(12, BigInt(origin.sequenceNumber))
  view.setBigUint64(20, BigInt(origin.timestamp))
  view.setBigUint64(28, BigInt(origin.number))
  data.set(bigintToBytes(origin.baseFee, 32), 36)
  data.set(bigintToBytes(origin.blobBaseFee, 32), 68)
  data.set(hexToBytes(origin.hash), 100)
  data.set(hexToBytes(seeded('batcher')).subarray(12), 144)
  view.setUint32(164, OPERATOR_FEE_SCALAR)
  view.setBigUint64(168, OPERATOR_FEE_CONSTANT)
  if (rules.jovian) view.setUint16(176, DA_FOOTPRINT_GAS_SCALAR)
  return data
}

/** The reverse of `encodeAttributes`: the L1 data in a block's first transaction. */
export function decodeAttributes(data: Uint8Array): { origin: L1Origin; parameters: L1Parameters } {
  const number = (from: number, to: number) => Number(bytesToBigint(data, from, to))
  const baseFee = bytesToBigint(data, 36, 68)
  const blobBaseFee = bytesToBigint(data, 68, 100)
  return {
    origin: {
      sequenceNumber: number(12, 20),
      timestamp: number(20, 28),
      number: number(28, 36),
      baseFee,
      blobBaseFee,
      hash: bytesToHex(data.subarray(100, 132)),
    },
    parameters: {
      baseFee,
      blobBaseFee,
      baseFeeScalar: bytesToBigint(data, 4, 8),
      blobBaseFeeScalar: bytesToBigint(data, 8, 12),
      operatorFeeScalar: bytesToBigint(data, 164, 168),
      operatorFeeConstant: bytesToBigint(data, 168, 176),
      // Nothing before Jovian.
      daFootprintGasScalar: bytesToBigint(data.subarray(176, JOVIAN_BYTES)),
    },
  }
}

const SET_ISTHMUS = '0x098999be'
const SET_JOVIAN = '0x3db6be2b'
const ISTHMUS_BYTES = 176
const JOVIAN_BYTES = 178

const BASE_FEE_SCALAR = 5_227
const BLOB_BASE_FEE_SCALAR = 1_014_213
/** Small but not zero, so that code that adds up fees must handle the operator fee. */
const OPERATOR_FEE_SCALAR = 100
const OPERATOR_FEE_CONSTANT = 1_000_000n
const DA_FOOTPRINT_GAS_SCALAR = 400

// Heights are like those of Ethereum, which has had a slot every twelve seconds since the merge.
const MERGE_NUMBER = 15_537_394
const MERGE_TIMESTAMP = 1_663_224_179
const L1_BLOCK_S = 12
/** A sequencer follows L1 at a distance because of reorgs. */
const LAG_S = 48

const BASE_FEE_UNIT = 10_000_000n
const BLOB_FEE_UNIT = 100_000n

/** Between 128 and 1,151, linear between random points. */
function wandering({ seeded }: Protocol, name: string, number: number): bigint {
  const stretch = Math.floor(number / KNOT_DISTANCE)
  const [from, to] = [stretch, stretch + 1].map(
    (knot) => 128 + (Number.parseInt(seeded(`${name} ${knot}`).slice(2, 8), 16) % 1024),
  )
  const along = number % KNOT_DISTANCE
  return BigInt(Math.round(from! + ((to! - from!) * along) / KNOT_DISTANCE))
}

const KNOT_DISTANCE = 16
