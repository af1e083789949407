import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { addressToHex, bigintToBytes, bytesToHex } from './hex.ts'
import {
  addressOfPrivateKey,
  isLowS,
  javascriptSecp256k1,
  loadNativeSecp256k1,
  ORDER,
  onFallback,
  recoverAddress,
  signatureBackend,
  signHash,
} from './secp256k1.ts'

const privateKeys = fc.bigInt({ min: 1n, max: ORDER - 1n }).map((key) => bigintToBytes(key, 32))
const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('secp256k1', () => {
  test('secp256k1 recovers the signer of what it signed', () => {
    fc.assert(
      fc.property(hashes, privateKeys, (hash, key) => {
        const signature = signHash(hash, key)
        expect(isLowS(signature.s)).toBe(true)
        expect(recoverAddress(hash, signature)).toBe(addressOfPrivateKey(key))
      }),
    )
  })

  test('secp256k1 recovers from the mirrored signature with high s too', () => {
    fc.assert(
      fc.property(hashes, privateKeys, (hash, key) => {
        const { r, s, yParity } = signHash(hash, key)
        const mirrored = { r, s: ORDER - s, yParity: 1 - yParity }
        expect(isLowS(mirrored.s)).toBe(false)
        expect(recoverAddress(hash, mirrored)).toBe(addressOfPrivateKey(key))
      }),
    )
  })

  test('secp256k1 derives the same address as viem', () => {
    const key = bigintToBytes(0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80n, 32)
    expect(addressToHex(addressOfPrivateKey(key))).toBe(privateKeyToAccount(bytesToHex(key)).address.toLowerCase())
  })

  test.each([
    ['zero r', { r: 0n, s: 1n, yParity: 0 }],
    ['zero s', { r: 1n, s: 0n, yParity: 0 }],
    ['r of the order', { r: ORDER, s: 1n, yParity: 0 }],
    ['a parity of 2, which the curve would allow', { r: 2n, s: 1n, yParity: 2 }],
    ['an r that is no point', { r: 5n, s: 1n, yParity: 0 }],
  ])('secp256k1 finds no signer for %s', (_, signature) => {
    expect(recoverAddress(new Uint8Array(32).fill(1), signature)).toBeNull()
  })

  test('the native and the pure library agree', (context) => {
    const native = loadNativeSecp256k1()
    if ('cause' in native) return context.skip('no native binary on this machine')
    fc.assert(
      fc.property(hashes, privateKeys, (hash, key) => {
        const { rs, yParity } = native.signer.sign(hash, key)
        expect(javascriptSecp256k1.sign(hash, key)).toEqual({ rs, yParity })
        expect(javascriptSecp256k1.publicKeyOf(key)).toEqual(native.signer.publicKeyOf(key))
        expect(javascriptSecp256k1.recoverPublicKey(hash, rs, yParity)).toEqual(native.signer.publicKeyOf(key))
      }),
      { numRuns: 20 },
    )
  })

  test('secp256k1 reports the fallback exactly when it is in use', () => {
    let calls = 0
    onFallback(() => calls++)
    expect(calls).toBe(signatureBackend === 'native' ? 0 : 1)
  })
})
