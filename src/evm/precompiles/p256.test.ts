import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { bytesToBigint, concatBytes, hexToBytes } from '../../chain/bytes/hex.ts'
import { loadCurves } from './curves.ts'
import { p256VerifyOsaka, p256VerifyRip7212 } from './p256.ts'
import { booleanWord, integerToBytes } from './precompile.ts'

const GOOD = hexToBytes(
  '0x4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e',
)
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const MODULUS = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const [HASH, R, S, X, Y] = [0, 32, 64, 96, 128] as const
const yes = { ok: true, gasUsed: 3450, output: booleanWord(true) }
const no = { ok: true, gasUsed: 3450, output: new Uint8Array(0) }

function verify(input: Uint8Array) {
  return p256VerifyRip7212(input, 3450)
}
function wordAt(input: Uint8Array, at: number) {
  return bytesToBigint(input, at, at + 32)
}
function withWord(at: number, value: bigint): Uint8Array {
  const changed = GOOD.slice()
  changed.set(integerToBytes(value, 32), at)
  return changed
}

function signedByNode(message: string): Uint8Array {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rs = sign('sha256', Buffer.from(message), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const hash = createHash('sha256').update(message).digest()
  return concatBytes(hash, rs, Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url'))
}

describe.each(['noble', 'mcl'])('P-256 with %s', (library) => {
  if (library === 'mcl') beforeAll(loadCurves)

  test('P256VERIFY accepts a good signature, and its twin with the other s', () => {
    expect(verify(GOOD)).toEqual(yes)
    expect(verify(withWord(S, ORDER - wordAt(GOOD, S)))).toEqual(yes)
  })

  test('P256VERIFY accepts what OpenSSL signed, and nothing else under that signature', () => {
    for (let i = 0; i < 20; i++) {
      const input = signedByNode(`message ${i}`)
      expect(verify(input)).toEqual(yes)
      const at = [HASH, R, S, X, Y][i % 5]! + 31
      input[at]! ^= 1
      expect(verify(input)).toEqual(no)
    }
  })

  test('P256VERIFY says no where r or s is outside the group', () => {
    for (const at of [R, S]) {
      for (const bad of [0n, ORDER, wordAt(GOOD, at) + ORDER]) {
        if (bad < 1n << 256n) expect(verify(withWord(at, bad))).toEqual(no)
      }
    }
  })

  test('P256VERIFY says no to a key that is no point', () => {
    expect(verify(withWord(X, MODULUS))).toEqual(no)
    expect(verify(withWord(Y, MODULUS))).toEqual(no)
    expect(verify(withWord(Y, wordAt(GOOD, Y) + 1n))).toEqual(no)
    const infinity = GOOD.slice()
    infinity.fill(0, X)
    expect(verify(infinity)).toEqual(no)
  })

  test('P256VERIFY takes a hash beyond the order modulo the order', () => {
    // With Q = G and r = x(G), any s of (z + r)/1 verifies, whatever multiple of the order z has been raised by.
    const x = 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n
    const y = 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n
    const words = (hash: bigint) => concatBytes(...[hash, x, x + 5n, x, y].map((each) => integerToBytes(each, 32)))
    expect(verify(words(5n))).toEqual(yes)
    expect(verify(words(ORDER + 5n))).toEqual(yes)
  })

  test('P256VERIFY says no where the sum is the point at infinity', () => {
    // Q = G and z = −r: the two products cancel.
    const x = 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n
    const y = 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n
    const input = concatBytes(...[ORDER - 9n, 9n, 1n, x, y].map((each) => integerToBytes(each, 32)))
    expect(verify(input)).toEqual(no)
  })
})

test('P256VERIFY says no to any other length', () => {
  expect(verify(GOOD.subarray(0, 159))).toEqual(no)
  expect(verify(concatBytes(GOOD, Uint8Array.of(0)))).toEqual(no)
  expect(verify(new Uint8Array(0))).toEqual(no)
})

test('P256VERIFY costs 3450 on the OP Stack and 6900 on Ethereum', () => {
  expect(p256VerifyRip7212(GOOD, 3449)).toMatchObject({ ok: false })
  expect(p256VerifyOsaka(GOOD, 6899)).toMatchObject({ ok: false })
  expect(p256VerifyOsaka(GOOD, 6900)).toMatchObject({ ok: true, gasUsed: 6900 })
})
