import { beforeAll, describe, expect, test } from 'vitest'
import { bytesToHex, concatBytes, EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import { blsG1Add, blsG1Msm, blsG2Add, blsG2Msm, blsMapFp2ToG2, blsMapFpToG1, blsPairing } from './bls12-381.ts'
import { loadCurves } from './curves.ts'
import { booleanWord, integerToBytes, type Precompile } from './precompile.ts'

const MODULUS = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
function fp(value: bigint) {
  return integerToBytes(value, 64)
}
function scalar(value: bigint) {
  return integerToBytes(value, 32)
}
function point(...coordinates: bigint[]) {
  return concatBytes(...coordinates.map(fp))
}

const G1_Y = 0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n
const G1_X = 0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn
const G2_X0 = 0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n
const G2_X1 = 0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en
const G2_Y0 = 0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801n
const G2_Y1 = 0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79ben

type GroupCase = {
  readonly add: Precompile
  readonly addGas: number
  readonly msm: Precompile
  readonly msmGas: readonly [one: number, two: number, many: number]
  readonly generator: Uint8Array
  readonly negated: Uint8Array
  readonly outsideSubgroup: Uint8Array
}

const G1: GroupCase = {
  add: blsG1Add,
  addGas: 375,
  msm: blsG1Msm,
  msmGas: [12_000, 22_776, 12_000 * 200 * 0.519],
  generator: point(G1_X, G1_Y),
  negated: point(G1_X, MODULUS - G1_Y),
  outsideSubgroup: point(
    4n,
    0x0a989badd40d6212b33cffc3f3763e9bc760f988c9926b26da9dd85e928483446346b8ed00e1de5d5ea93e354abe706cn,
  ),
}

const G2: GroupCase = {
  add: blsG2Add,
  addGas: 600,
  msm: blsG2Msm,
  msmGas: [22_500, 45_000, 22_500 * 200 * 0.524],
  generator: point(G2_X0, G2_X1, G2_Y0, G2_Y1),
  negated: point(G2_X0, G2_X1, MODULUS - G2_Y0, MODULUS - G2_Y1),
  outsideSubgroup: point(
    2n,
    0n,
    0x18c6b864ae17dc9da64203ffefb966306425a7bc6aeb7c75247438372716284a4173830420cd476ba1a365b95bfcec38n,
    0x172e93db764a8400a7d5071b6b6f5de0da2f0f4a063119abca014006b7c40a2cfe291a1924e65db0d6d0fcfbf3bf3d5cn,
  ),
}

const PLENTY = 100_000_000
const FAILED = { ok: false }

describe.each(['noble', 'mcl'])('BLS12-381 with %s', (library) => {
  if (library === 'mcl') beforeAll(loadCurves)

  describe.each([
    ['G1', G1],
    ['G2', G2],
  ])('%s', (_, group) => {
    const { add, msm, generator, negated, outsideSubgroup } = group
    const infinity = new Uint8Array(generator.length)
    const product = (...factors: [Uint8Array, bigint][]) => {
      const result = msm(concatBytes(...factors.flatMap(([p, k]) => [p, scalar(k)])), PLENTY)
      return result.ok ? bytesToHex(result.output) : 'failed'
    }

    test('the precompile adds points', () => {
      const sum = add(concatBytes(generator, generator), group.addGas)
      expect(sum).toMatchObject({ ok: true, gasUsed: group.addGas })
      expect(sum.ok && bytesToHex(sum.output)).toBe(product([generator, 2n]))
      expect(add(concatBytes(generator, negated), PLENTY)).toMatchObject({ output: infinity })
      expect(add(concatBytes(infinity, generator), PLENTY)).toMatchObject({ output: generator })
      expect(add(concatBytes(infinity, infinity), PLENTY)).toMatchObject({ output: infinity })
      expect(add(concatBytes(generator, generator), group.addGas - 1)).toMatchObject(FAILED)
    })

    test('the precompile adds points outside the subgroup, but multiplies none', () => {
      expect(add(concatBytes(outsideSubgroup, infinity), PLENTY)).toMatchObject({ output: outsideSubgroup })
      expect(product([outsideSubgroup, 0n])).toBe('failed')
      expect(product([generator, 1n], [outsideSubgroup, 1n])).toBe('failed')
    })

    test('the precompile multiplies by scalars of any size', () => {
      expect(product([generator, 1n])).toBe(bytesToHex(generator))
      expect(product([generator, ORDER])).toBe(bytesToHex(infinity))
      expect(product([generator, ORDER + 1n])).toBe(bytesToHex(generator))
      expect(product([generator, ORDER - 1n])).toBe(bytesToHex(negated))
      expect(product([infinity, 5n])).toBe(bytesToHex(infinity))
      expect(product([generator, 7n], [negated, 5n], [infinity, 9n])).toBe(product([generator, 2n]))
    })

    test('the precompile sums many products, beyond one batch too', () => {
      const count = library === 'mcl' ? 301 : 5
      const factors = Array.from({ length: count }, (_, i): [Uint8Array, bigint] => [generator, BigInt(i)])
      expect(product(...factors)).toBe(product([generator, BigInt((count * (count - 1)) / 2)]))
    })

    test('the precompile charges less for each of many pairs', () => {
      const gasOf = (count: number) => {
        const result = msm(new Uint8Array(count * (generator.length + 32)), PLENTY)
        return result.ok && result.gasUsed
      }
      expect([gasOf(1), gasOf(2), gasOf(200)]).toEqual(group.msmGas)
      expect(msm(concatBytes(generator, scalar(1n)), group.msmGas[0] - 1)).toMatchObject(FAILED)
    })

    test('the precompile fails on what is no point', () => {
      const offCurve = generator.slice()
      offCurve[offCurve.length - 1]! ^= 1
      const dirtyPadding = generator.slice()
      dirtyPadding[0] = 1
      const tooLarge = concatBytes(fp(MODULUS), generator.subarray(64))
      for (const bad of [offCurve, dirtyPadding, tooLarge]) {
        expect(add(concatBytes(bad, generator), PLENTY)).toMatchObject(FAILED)
        expect(add(concatBytes(generator, bad), PLENTY)).toMatchObject(FAILED)
        expect(product([bad, 1n])).toBe('failed')
      }
    })

    test('the precompile fails on another length', () => {
      for (const bad of [EMPTY_BYTES, generator, concatBytes(generator, generator, Uint8Array.of(0))]) {
        expect(add(bad, PLENTY)).toMatchObject(FAILED)
        expect(msm(bad, PLENTY)).toMatchObject(FAILED)
      }
    })
  })

  test('the precompile checks pairings', () => {
    const one = concatBytes(G1.generator, G2.generator, G1.negated, G2.generator)
    expect(blsPairing(one, 102_900)).toEqual({ ok: true, gasUsed: 102_900, output: booleanWord(true) })
    expect(blsPairing(one, 102_899)).toMatchObject(FAILED)
    expect(blsPairing(one.subarray(0, 384), 70_300)).toEqual({ ok: true, gasUsed: 70_300, output: booleanWord(false) })
    const infinity = new Uint8Array(128)
    expect(blsPairing(concatBytes(infinity, G2.generator), PLENTY)).toMatchObject({ output: booleanWord(true) })
    expect(blsPairing(concatBytes(G1.generator, infinity, infinity), PLENTY)).toMatchObject({
      output: booleanWord(true),
    })
  })

  test('the precompile fails on pairs that are none', () => {
    expect(blsPairing(EMPTY_BYTES, PLENTY)).toMatchObject(FAILED)
    expect(blsPairing(new Uint8Array(383), PLENTY)).toMatchObject(FAILED)
    expect(blsPairing(concatBytes(G1.outsideSubgroup, G2.generator), PLENTY)).toMatchObject(FAILED)
    expect(blsPairing(concatBytes(G1.generator, G2.outsideSubgroup), PLENTY)).toMatchObject(FAILED)
    expect(blsPairing(concatBytes(new Uint8Array(128), G2.outsideSubgroup), PLENTY)).toMatchObject(FAILED)
  })

  test('the precompile maps field elements into the subgroup', () => {
    for (const element of [0n, 1n, MODULUS - 1n]) {
      const g1 = blsMapFpToG1(fp(element), 5500)
      expect(g1).toMatchObject({ ok: true, gasUsed: 5500 })
      expect(g1.ok && blsG1Msm(concatBytes(g1.output, scalar(ORDER)), PLENTY)).toMatchObject({
        output: new Uint8Array(128),
      })
      const g2 = blsMapFp2ToG2(point(element, 1n), 23_800)
      expect(g2).toMatchObject({ ok: true, gasUsed: 23_800 })
      expect(g2.ok && blsG2Msm(concatBytes(g2.output, scalar(ORDER)), PLENTY)).toMatchObject({
        output: new Uint8Array(256),
      })
    }
  })

  test('the precompile maps no bytes that spell no element', () => {
    expect(blsMapFpToG1(fp(MODULUS), PLENTY)).toMatchObject(FAILED)
    expect(blsMapFpToG1(new Uint8Array(63), PLENTY)).toMatchObject(FAILED)
    expect(blsMapFpToG1(fp(1n), 5499)).toMatchObject(FAILED)
    expect(blsMapFp2ToG2(point(1n, MODULUS), PLENTY)).toMatchObject(FAILED)
    expect(blsMapFp2ToG2(fp(1n), PLENTY)).toMatchObject(FAILED)
    expect(blsMapFp2ToG2(point(1n, 1n), 23_799)).toMatchObject(FAILED)
  })
})

test('BLS12-381 maps field elements to the points of RFC 9380, appendix J.9.2', () => {
  // u = encode_to_field("") and its point, of the suite BLS12381G1_XMD:SHA-256_SSWU_NU_
  const u = 0x156c8a6a2c184569d69a76be144b5cdc5141d2d2ca4fe341f011e25e3969c55ad9e9b9ce2eb833c81a908e5fa4ac5f03n
  const x = 0x184bb665c37ff561a89ec2122dd343f20e0f4cbcaec84e3c3052ea81d1834e192c426074b02ed3dca4e7676ce4ce48ban
  const y = 0x04407b8d35af4dacc809927071fc0405218f1401a6d15af775810e4e460064bcc9468beeba82fdc751be70476c888bf3n
  expect(blsMapFpToG1(fp(u), PLENTY)).toMatchObject({ output: point(x, y) })
})
