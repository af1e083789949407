import fc from 'fast-check'
import { getContractAddress } from 'viem'
import { expect, test } from 'vitest'
import { addressToHex, wordToHex } from '../bytes/hex.ts'
import { create2Address, createAddress } from './create-address.ts'

const creators = fc.bigInt({ min: 0n, max: (1n << 160n) - 1n })
const salts = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })

test('a contract lives where viem expects it after CREATE', () => {
  fc.assert(
    fc.property(creators, fc.bigInt({ min: 0n, max: 1n << 50n }), (creator, nonce) => {
      const expected = getContractAddress({ from: addressToHex(creator), nonce })
      expect(addressToHex(createAddress(creator, nonce))).toBe(expected.toLowerCase())
    }),
  )
})

test('a contract lives where viem expects it after CREATE2', () => {
  fc.assert(
    fc.property(creators, salts, fc.uint8Array(), (creator, salt, initCode) => {
      const from = addressToHex(creator)
      const expected = getContractAddress({ opcode: 'CREATE2', from, salt: wordToHex(salt), bytecode: initCode })
      expect(addressToHex(create2Address({ creator, salt, initCode }))).toBe(expected.toLowerCase())
    }),
  )
})
