import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { concatBytes, hexToBytes } from '../../chain/bytes/hex.ts'
import { loadCurves } from './curves.ts'
import { pointEvaluation } from './point-evaluation.ts'
import { integerToBytes } from './precompile.ts'

const { Point } = bls12_381.G1
type G1Point = typeof Point.BASE
/** The second G1 point of the ceremony, so that we can commit to polynomials of degree one. */
const TAU_G1 = Point.fromHex(
  'ad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81',
)
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
function word(value: bigint) {
  return integerToBytes(value, 32)
}
function times(point: G1Point, scalar: bigint) {
  return point.multiplyUnsafe(scalar)
}

type Claim = { commitment: Uint8Array; z: bigint; y: bigint; proof: Uint8Array }

function callFor({ commitment, z, y, proof }: Claim): Uint8Array {
  const hash = createHash('sha256').update(commitment).digest()
  hash[0] = 1
  return concatBytes(hash, word(z), word(y), commitment, proof)
}

/** p(x) = a + b·x; the quotient (p(x) − p(z)) / (x − z) is b. */
function lineThrough(a: bigint, b: bigint, z: bigint): Claim {
  return {
    commitment: times(Point.BASE, a).add(times(TAU_G1, b)).toBytes(),
    z,
    y: (a + b * z) % ORDER,
    proof: times(Point.BASE, b).toBytes(),
  }
}

function call(claim: Claim) {
  return pointEvaluation(callFor(claim), 50_000)
}
const FAILED = { ok: false }
const HOLDS = {
  ok: true,
  gasUsed: 50_000,
  output: hexToBytes(
    '0x000000000000000000000000000000000000000000000000000000000000100073eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001',
  ),
}
const KNOWN = hexToBytes(
  '0x01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d3630624d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a18f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a',
)

describe.each(['noble', 'mcl'])('KZG with %s', (library) => {
  if (library === 'mcl') beforeAll(loadCurves)

  test('point evaluation accepts a proof from a blob', () => {
    expect(pointEvaluation(KNOWN, 50_000)).toEqual(HOLDS)
    expect(pointEvaluation(KNOWN, 49_999)).toMatchObject(FAILED)
  })

  test('point evaluation accepts the true value of a line and no other', () => {
    const elements = fc.bigInt(0n, ORDER - 1n)
    fc.assert(
      fc.property(elements, elements, elements, (a, b, z) => {
        const claim = lineThrough(a, b, z)
        expect(call(claim)).toEqual(HOLDS)
        expect(call({ ...claim, y: (claim.y + 1n) % ORDER })).toMatchObject(FAILED)
      }),
      { numRuns: library === 'mcl' ? 20 : 4 },
    )
  })

  test('point evaluation accepts constants, whose proof is the point at infinity', () => {
    expect(call(lineThrough(7n, 0n, 123n))).toEqual(HOLDS)
    expect(call(lineThrough(0n, 0n, 123n))).toEqual(HOLDS)
  })

  test('point evaluation fails on numbers that are no field elements', () => {
    const constant = lineThrough(0n, 0n, 0n)
    expect(call({ ...constant, z: ORDER })).toMatchObject(FAILED)
    expect(call({ ...constant, y: ORDER })).toMatchObject(FAILED)
  })

  test('point evaluation fails on points that are none', () => {
    const claim = lineThrough(3n, 5n, 11n)
    const flipped = (bits: number) => Uint8Array.from(claim.proof, (byte, i) => (i === 0 ? byte ^ bits : byte))
    const offCurve = hexToBytes(`0x80${'00'.repeat(46)}01`)
    const outsideSubgroup = hexToBytes(`0x80${'00'.repeat(46)}04`)
    const dirtyInfinity = hexToBytes(`0xc0${'00'.repeat(46)}01`)
    const tooLarge = Uint8Array.of(0x9f, ...new Uint8Array(47).fill(0xff))
    for (const bad of [
      flipped(0x80),
      flipped(0x40),
      flipped(0x20),
      offCurve,
      outsideSubgroup,
      dirtyInfinity,
      tooLarge,
    ]) {
      expect(call({ ...claim, proof: bad })).toMatchObject(FAILED)
      expect(call({ ...claim, commitment: bad })).toMatchObject(FAILED)
    }
  })
})

test('point evaluation fails where the hash is not of this commitment, or of another version', () => {
  const input = callFor(lineThrough(7n, 0n, 123n))
  for (const at of [0, 31]) {
    const changed = input.slice()
    changed[at]! ^= 1
    expect(pointEvaluation(changed, 50_000)).toMatchObject(FAILED)
  }
})

test('point evaluation fails on another length', () => {
  const input = callFor(lineThrough(7n, 0n, 123n))
  expect(pointEvaluation(input.subarray(0, 191), 50_000)).toMatchObject(FAILED)
  expect(pointEvaluation(concatBytes(input, Uint8Array.of(0)), 50_000)).toMatchObject(FAILED)
})
