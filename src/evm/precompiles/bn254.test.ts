import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { bytesToHex, concatBytes, EMPTY_BYTES, hexToBytes } from '../../chain/bytes/hex.ts'
import { bn254Add, bn254Mul, bn254Pairing } from './bn254.ts'
import { loadCurves } from './curves.ts'
import { booleanWord, integerToBytes, type PrecompileResult } from './precompile.ts'

const MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const ORDER = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n
function words(...values: bigint[]) {
  return concatBytes(...values.map((value) => integerToBytes(value, 32)))
}
const GENERATOR = words(1n, 2n)
const INFINITY = new Uint8Array(64)
const TWICE_GENERATOR = hexToBytes(
  '0x030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd315ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4',
)
const PAIRS_TO_ONE = hexToBytes(
  `0x${[
    '1c76476f4def4bb94541d57ebba1193381ffa7aa76ada664dd31c16024c43f593034dd2920f673e204fee2811c678745fc819b55d3e9d294e45c9b03a76aef41',
    '209dd15ebff5d46c4bd888e51a93cf99a7329636c63514396b4a452003a35bf704bf11ca01483bfa8b34b43561848d28905960114c8ac04049af4b6315a41678',
    '2bb8324af6cfc93537a2ad1a445cfd0ca2a71acd7ac41fadbf933c2a51be344d120a2a4cf30c1bf9845f20c6fe39e07ea2cce61f0c9bb048165fe5e4de877550',
    '111e129f1cf1097710d41c4ac70fcdfa5ba2023c6ff1cbeac322de49d1b6df7c2032c61a830e3c17286de9462bf242fca2883585b93870a73853face6a6bf411',
    '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
    '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
  ].join('')}`,
)
const G2 = PAIRS_TO_ONE.subarray(256, 384)
/** On the twist, but outside the subgroup. */
const OUTSIDE_SUBGROUP = words(
  0n,
  1n,
  0x2351dcdda257b62181cbd745dfee16d5fdf4eb185bbcf33c20a0fe6eaa9cb4a3n,
  0x07fb3d558dafafb6bf6dd326a5fefe0beca3f9ac3bd999a390d504fad34b0b8cn,
)

const scalars = fc.bigInt(0n, (1n << 256n) - 1n)
function output(result: PrecompileResult) {
  return result.ok ? bytesToHex(result.output) : 'failed'
}
function times(point: Uint8Array, scalar: bigint) {
  const result = bn254Mul(concatBytes(point, words(scalar)), 6000)
  if (!result.ok) throw new Error('multiplication failed')
  return result.output
}

describe.each(['noble', 'mcl'])('BN254 with %s', (library) => {
  if (library === 'mcl') beforeAll(loadCurves)
  const runs = { numRuns: library === 'mcl' ? 50 : 5 }

  test('the precompile adds points', () => {
    expect(bn254Add(concatBytes(GENERATOR, GENERATOR), 150)).toEqual({
      ok: true,
      gasUsed: 150,
      output: TWICE_GENERATOR,
    })
    expect(bn254Add(concatBytes(GENERATOR, words(1n, MODULUS - 2n)), 150)).toMatchObject({ output: INFINITY })
    expect(bn254Add(GENERATOR, 150)).toMatchObject({ output: GENERATOR })
    expect(bn254Add(EMPTY_BYTES, 150)).toMatchObject({ output: INFINITY })
    expect(bn254Add(GENERATOR, 149)).toMatchObject({ ok: false })
  })

  test('the precompile multiplies points, by scalars of any size', () => {
    expect(bn254Mul(concatBytes(GENERATOR, words(2n)), 6000)).toEqual({
      ok: true,
      gasUsed: 6000,
      output: TWICE_GENERATOR,
    })
    expect(bn254Mul(concatBytes(GENERATOR, words(ORDER)), 6000)).toMatchObject({ output: INFINITY })
    expect(bn254Mul(concatBytes(GENERATOR, words(ORDER + 2n)), 6000)).toMatchObject({ output: TWICE_GENERATOR })
    expect(bn254Mul(concatBytes(INFINITY, words(7n)), 6000)).toMatchObject({ output: INFINITY })
    expect(bn254Mul(GENERATOR, 6000)).toMatchObject({ output: INFINITY })
    expect(bn254Mul(GENERATOR, 5999)).toMatchObject({ ok: false })
  })

  test('the precompile multiplies as it adds', () => {
    fc.assert(
      fc.property(scalars, scalars, (a, b) => {
        const sum = bn254Add(concatBytes(times(GENERATOR, a), times(GENERATOR, b)), 150)
        expect(output(sum)).toBe(bytesToHex(times(GENERATOR, (a + b) % ORDER)))
      }),
      runs,
    )
  })

  test('the precompile fails on coordinates that are no point or not below the modulus', () => {
    for (const bad of [
      words(1n, 1n),
      words(0n, 1n),
      words(MODULUS + 1n, 2n),
      words(1n, MODULUS + 2n),
      words(MODULUS, 0n),
    ]) {
      expect(bn254Add(bad, 150)).toMatchObject({ ok: false })
      expect(bn254Add(concatBytes(GENERATOR, bad), 150)).toMatchObject({ ok: false })
      expect(bn254Mul(concatBytes(bad, words(1n)), 6000)).toMatchObject({ ok: false })
      expect(bn254Pairing(concatBytes(bad, G2), 79_000)).toMatchObject({ ok: false })
    }
  })

  test('the precompile checks pairings', () => {
    expect(bn254Pairing(PAIRS_TO_ONE, 113_000)).toEqual({ ok: true, gasUsed: 113_000, output: booleanWord(true) })
    expect(bn254Pairing(PAIRS_TO_ONE, 112_999)).toMatchObject({ ok: false })
    expect(bn254Pairing(PAIRS_TO_ONE.subarray(192), 79_000)).toMatchObject({ output: booleanWord(false) })
    expect(bn254Pairing(EMPTY_BYTES, 45_000)).toEqual({ ok: true, gasUsed: 45_000, output: booleanWord(true) })
  })

  test('the precompile takes a pair with infinity for one', () => {
    expect(bn254Pairing(concatBytes(INFINITY, G2), 79_000)).toMatchObject({ output: booleanWord(true) })
    expect(bn254Pairing(concatBytes(GENERATOR, new Uint8Array(128)), 79_000)).toMatchObject({
      output: booleanWord(true),
    })
  })

  test('the precompile finds that e(a·P, Q) · e(−a·P, Q) is one, beyond one batch too', () => {
    const pair = (scalar: bigint) => concatBytes(times(GENERATOR, scalar), G2)
    const count = library === 'mcl' ? 140 : 2
    const pairs = Array.from({ length: count / 2 }, (_, i) =>
      concatBytes(pair(BigInt(i + 1)), pair(ORDER - BigInt(i + 1))),
    )
    expect(bn254Pairing(concatBytes(...pairs), 10_000_000)).toMatchObject({ output: booleanWord(true) })
    expect(bn254Pairing(concatBytes(...pairs, pair(1n)), 10_000_000)).toMatchObject({ output: booleanWord(false) })
  })

  test('the precompile fails on a second point that is off the curve, outside the subgroup or not below the modulus', () => {
    const broken = G2.slice()
    broken[127]! ^= 1
    const tooLarge = concatBytes(words(MODULUS), G2.subarray(32))
    for (const bad of [broken, tooLarge, OUTSIDE_SUBGROUP]) {
      expect(bn254Pairing(concatBytes(GENERATOR, bad), 79_000)).toMatchObject({ ok: false })
      expect(bn254Pairing(concatBytes(INFINITY, bad), 79_000)).toMatchObject({ ok: false })
    }
  })
})

test('the BN254 pairing fails on a part of a pair', () => {
  expect(bn254Pairing(PAIRS_TO_ONE.subarray(0, 191), 1_000_000)).toMatchObject({ ok: false })
  expect(bn254Pairing(PAIRS_TO_ONE.subarray(0, 193), 1_000_000)).toMatchObject({ ok: false })
})
