// Encodings of points of BLS12-381. In EIP-2537 a field element is 64 bytes, the first 16 of them zero, and a point is its two
// coordinates. The commitments of EIP-4844 are compressed.
import { bytesToBigint } from '../../chain/bytes/hex.ts'
import type { Affine, Fp2, Group } from './curve.ts'
import { bls12381 } from './curves.ts'
import { powerModulo } from './modexp.ts'
import { integerToBytes, type PrecompileError } from './precompile.ts'

export type FieldEncoding<Field> = {
  readonly length: number
  /** An error if the bytes are not an element of the field. */
  read(input: Uint8Array, offset: number): Field | PrecompileError
  write(target: Uint8Array, offset: number, element: Field): void
}

export type PointEncoding<Field> = {
  readonly name: 'g1' | 'g2'
  readonly length: number
  readonly field: FieldEncoding<Field>
  group(): Group<Field>
}

const MODULUS = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn

/** The first 16 of the 64 bytes are zero in every number below it. */
const TOP_BYTES = 1n << 384n
const NOT_IN_FIELD = 'invalid fp.Element encoding'

export const FP: FieldEncoding<bigint> = {
  length: 64,
  read(input, offset) {
    const element = bytesToBigint(input, offset, offset + 64)
    if (element >= TOP_BYTES) return 'invalid field element top bytes'
    return element < MODULUS ? element : NOT_IN_FIELD
  },
  write: (target, offset, element) => target.set(integerToBytes(element, 64), offset),
}

export const FP2: FieldEncoding<Fp2> = {
  length: 2 * FP.length,
  read(input, offset) {
    const c0 = FP.read(input, offset)
    if (typeof c0 === 'string') return c0
    const c1 = FP.read(input, offset + FP.length)
    return typeof c1 === 'string' ? c1 : { c0, c1 }
  },
  write(target, offset, { c0, c1 }) {
    FP.write(target, offset, c0)
    FP.write(target, offset + FP.length, c1)
  },
}

export const G1: PointEncoding<bigint> = { name: 'g1', length: 2 * FP.length, field: FP, group: () => bls12381().g1 }
export const G2: PointEncoding<Fp2> = { name: 'g2', length: 2 * FP2.length, field: FP2, group: () => bls12381().g2 }

/** A point of the curve, or an error. Enough for additions. */
export function readPoint<Field>(
  { field, group }: PointEncoding<Field>,
  input: Uint8Array,
  offset: number,
): Affine<Field> | PrecompileError {
  const x = field.read(input, offset)
  if (typeof x === 'string') return x
  const y = field.read(input, offset + field.length)
  if (typeof y === 'string') return y
  return group().isOnCurve({ x, y }) ? { x, y } : 'invalid point: not on curve'
}

/** A point of the subgroup, or an error. Everything but addition requires it. */
export function readSubgroupPoint<Field>(
  encoding: PointEncoding<Field>,
  input: Uint8Array,
  offset: number,
): Affine<Field> | PrecompileError {
  const point = readPoint(encoding, input, offset)
  return typeof point === 'string' ? point : (subgroupError(encoding, point) ?? point)
}

export function subgroupError<Field>(
  { name, group }: PointEncoding<Field>,
  point: Affine<Field>,
): PrecompileError | undefined {
  return group().isInSubgroup(point) ? undefined : `${name} point is not on correct subgroup`
}

export function pointToBytes<Field>({ length, field }: PointEncoding<Field>, { x, y }: Affine<Field>): Uint8Array {
  const bytes = new Uint8Array(length)
  field.write(bytes, 0, x)
  field.write(bytes, field.length, y)
  return bytes
}

/** Reads 48 bytes: three flags, then x. Returns a point of the subgroup, or an error. */
export function readCompressedG1(bytes: Uint8Array): Affine<bigint> | PrecompileError {
  const whole = bytesToBigint(bytes)
  if (whole === COMPRESSED_INFINITY) return { x: 0n, y: 0n }
  const flags = Number(whole >> 381n)
  const x = BigInt.asUintN(381, whole)
  if (flags === UNCOMPRESSED || flags === UNCOMPRESSED_INFINITY) return 'short buffer'
  if (flags === COMPRESSED_INFINITY_FLAGS) return 'invalid infinity point encoding'
  if (flags !== COMPRESSED && flags !== COMPRESSED_LARGER_Y) return 'invalid point encoding'
  if (x >= MODULUS) return NOT_IN_FIELD
  // The modulus is 3 modulo 4, so this is the square root if there is one; otherwise the point is not on the curve.
  const root = powerModulo(x ** 3n + 4n, QUARTER_OF_MODULUS, MODULUS)
  const isLarger = root > MODULUS / 2n
  const point = { x, y: isLarger === (flags === COMPRESSED_LARGER_Y) ? root : MODULUS - root }
  const { g1 } = bls12381()
  if (!g1.isOnCurve(point)) return "invalid compressed coordinate: square root doesn't exist"
  return g1.isInSubgroup(point) ? point : 'invalid point: subgroup check failed'
}

const COMPRESSED = 0b100
const COMPRESSED_LARGER_Y = 0b101
const COMPRESSED_INFINITY_FLAGS = 0b110
const COMPRESSED_INFINITY = 0b110n << 381n
const UNCOMPRESSED = 0
const UNCOMPRESSED_INFINITY = 0b010
const QUARTER_OF_MODULUS = integerToBytes((MODULUS + 1n) / 4n, 48)
