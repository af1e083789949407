// 0x06, 0x07, 0x08 (EIP-196 and EIP-197, since Byzantium): addition, multiplication and pairing check on alt_bn128. EIP-1108 made them
// cheaper with Istanbul.
import { bytesToBigint } from '../../chain/bytes/hex.ts'
import type { Affine, Fp2, Pair } from './curve.ts'
import { bn254 } from './curves.ts'
import { booleanWord, integerToBytes, type PrecompileError, priced, readPadded } from './precompile.ts'

export const bn254AddByzantium = priced({ cost: () => 500, run: add })
export const bn254Add = priced({ cost: () => 150, run: add })

export const bn254MulByzantium = priced({ cost: () => 40_000, run: multiply })
export const bn254Mul = priced({ cost: () => 6000, run: multiply })

export const bn254PairingByzantium = priced({ cost: (input) => 100_000 + 80_000 * pairCount(input), run: checkPairing })
export const bn254Pairing = priced({ cost: (input) => 45_000 + 34_000 * pairCount(input), run: checkPairing })

function add(input: Uint8Array): Uint8Array | PrecompileError {
  const a = readG1(input, 0)
  if (typeof a === 'string') return a
  const b = readG1(input, 64)
  return typeof b === 'string' ? b : g1ToBytes(bn254().g1.add(a, b))
}

function multiply(input: Uint8Array): Uint8Array | PrecompileError {
  const point = readG1(input, 0)
  const scalar = bytesToBigint(readPadded(input, 64, 32))
  return typeof point === 'string' ? point : g1ToBytes(bn254().g1.sumOfProducts([point], [scalar]))
}

function pairCount(input: Uint8Array): number {
  return Math.floor(input.length / PAIR_LENGTH)
}

function checkPairing(input: Uint8Array): Uint8Array | PrecompileError {
  if (input.length % PAIR_LENGTH !== 0) return 'bad elliptic curve pairing size'
  const pairs: Pair[] = []
  for (let at = 0; at < input.length; at += PAIR_LENGTH) {
    const g1 = readG1(input, at)
    if (typeof g1 === 'string') return g1
    const g2 = readG2(input, at + 64)
    if (typeof g2 === 'string') return g2
    pairs.push({ g1, g2 })
  }
  return booleanWord(bn254().pairingIsOne(pairs))
}

const PAIR_LENGTH = 192
const NOT_IN_FIELD = 'invalid fp.Element encoding'
const NOT_ON_CURVE = 'point is not on curve'
const MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n

/** Every point of the curve is in the group, so there is no subgroup check. */
function readG1(input: Uint8Array, offset: number): Affine<bigint> | PrecompileError {
  const x = bytesToBigint(readPadded(input, offset, 32))
  const y = bytesToBigint(readPadded(input, offset + 32, 32))
  if (x >= MODULUS || y >= MODULUS) return NOT_IN_FIELD
  return bn254().g1.isOnCurve({ x, y }) ? { x, y } : NOT_ON_CURVE
}

function readG2(input: Uint8Array, offset: number): Affine<Fp2> | PrecompileError {
  const x = readFp2(input, offset)
  const y = readFp2(input, offset + 64)
  if (x === null || y === null) return NOT_IN_FIELD
  const { g2 } = bn254()
  if (!g2.isOnCurve({ x, y })) return NOT_ON_CURVE
  return g2.isInSubgroup({ x, y }) ? { x, y } : 'point is not in correct subgroup'
}

/** The imaginary part comes first. */
function readFp2(input: Uint8Array, offset: number): Fp2 | null {
  const c1 = bytesToBigint(input, offset, offset + 32)
  const c0 = bytesToBigint(input, offset + 32, offset + 64)
  return c0 < MODULUS && c1 < MODULUS ? { c0, c1 } : null
}

function g1ToBytes({ x, y }: Affine<bigint>): Uint8Array {
  const bytes = new Uint8Array(64)
  bytes.set(integerToBytes(x, 32))
  bytes.set(integerToBytes(y, 32), 32)
  return bytes
}
