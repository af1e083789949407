import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, concatBytes, hexToBytes } from '../../chain/bytes/hex.ts'
import { addressOfPrivateKey, ORDER, signHash } from '../../chain/bytes/secp256k1.ts'
import { ecrecover } from './ecrecover.ts'
import { integerToBytes } from './precompile.ts'

function word(value: bigint) {
  return integerToBytes(value, 32)
}
const hash = word(0x18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1cn)
const r = word(0x73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75fn)
const s = word(0xeeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549n)
function call(...parts: Uint8Array[]) {
  return ecrecover(concatBytes(...parts), 3000)
}
function found(output: Uint8Array) {
  return { ok: true, gasUsed: 3000, output }
}
const nobody = found(new Uint8Array(0))

test('ecrecover recovers the signer, also from a high s', () => {
  const signer = '0x000000000000000000000000a94f5374fce5edbc8e2a8697c15331677e6ebf0b'
  expect(call(hash, word(28n), r, s)).toEqual(found(hexToBytes(signer)))
})

test('ecrecover recovers whoever signed', () => {
  const keys = fc.bigInt(1n, ORDER - 1n)
  const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(keys, hashes, (key, signed) => {
      const signature = signHash(signed, word(key))
      const v = word(BigInt(27 + signature.yParity))
      const expected = word(addressOfPrivateKey(word(key)))
      expect(call(signed, v, word(signature.r), word(signature.s))).toEqual(found(expected))
    }),
  )
})

test('ecrecover finds nobody where the parity is not 27 or 28', () => {
  for (const v of [0n, 1n, 26n, 29n, 27n << 8n, (1n << 255n) + 27n]) expect(call(hash, word(v), r, s)).toEqual(nobody)
})

test('ecrecover finds nobody where r or s is outside the group', () => {
  for (const bad of [0n, ORDER, (1n << 256n) - 1n]) {
    expect(call(hash, word(28n), word(bad), s)).toEqual(nobody)
    expect(call(hash, word(28n), r, word(bad))).toEqual(nobody)
  }
})

test('ecrecover reads zeros past the end and ignores what follows 128 bytes', () => {
  expect(call()).toEqual(nobody)
  const whole = call(hash, word(28n), r, s)
  expect(call(hash, word(28n), r, s, word(1n))).toEqual(whole)
  const endingInZero = integerToBytes(1n << 8n, 32)
  expect(call(hash, word(27n), r, endingInZero.subarray(0, 31))).toEqual(call(hash, word(27n), r, endingInZero))
})

test('ecrecover fails one gas short', () => {
  expect(ecrecover(concatBytes(hash, word(28n), r, s), 2999)).toMatchObject({ ok: false })
})

test('ecrecover gives an address padded to a word', () => {
  const result = call(hash, word(28n), r, s)
  expect(result.ok && bytesToHex(result.output)).toMatch(/^0x0{24}[0-9a-f]{40}$/)
})
