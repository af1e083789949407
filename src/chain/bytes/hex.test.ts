import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressToHex,
  bigintToBytes,
  bigintToMinimalBytes,
  bytesToBigint,
  bytesToHex,
  concatBytes,
  fromQuantity,
  fromQuantityToNumber,
  hexToAddress,
  hexToBytes,
  toQuantity,
  wordToHex,
  writeWord,
} from './hex.ts'

const anyBytes = fc.uint8Array({ maxLength: 80 })
const words = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })

describe('hex', () => {
  test('bytes survive the way to text and back', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(hexToBytes(bytesToHex(bytes))).toEqual(bytes)
      }),
    )
  })

  test('hex reads upper-case digits and writes lower-case ones', () => {
    expect(bytesToHex(hexToBytes('0xABcd'))).toBe('0xabcd')
  })

  test.each(['', 'ab', '0x1', '0xzz', '0x0\u0130', '0x 1', '0x1\u{1F600}'])('hex refuses %j as bytes', (text) => {
    expect(() => hexToBytes(text)).toThrow('"')
  })

  test('hex shows only the beginning of a long refused text', () => {
    expect(() => hexToBytes(`0x${'z'.repeat(1_000)}`)).toThrow(/^.{60,120}$/)
  })

  test('hex reads the number that big-endian bytes of any length spell', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(bytesToBigint(bytes)).toBe(BigInt(`0x0${bytesToHex(bytes).slice(2)}`))
      }),
    )
  })

  test('hex reads a number out of the middle of bytes', () => {
    expect(bytesToBigint(Uint8Array.of(9, 1, 2, 9), 1, 3)).toBe(0x0102n)
  })

  test('a word survives the way to bytes and back, padded or minimal', () => {
    fc.assert(
      fc.property(words, (word) => {
        expect(bytesToBigint(bigintToBytes(word, 32))).toBe(word)
        const minimal = bigintToMinimalBytes(word)
        expect(bytesToBigint(minimal)).toBe(word)
        expect(minimal[0]).not.toBe(0)
      }),
    )
  })

  test('hex writes a word over whatever was there', () => {
    fc.assert(
      fc.property(words, (word) => {
        const target = new Uint8Array(40).fill(0xff)
        writeWord(target, 4, word)
        expect(bytesToHex(target)).toBe(`0xffffffff${wordToHex(word).slice(2)}ffffffff`)
      }),
    )
  })

  test('hex keeps the low bytes of a number that is too long', () => {
    expect(bytesToHex(bigintToBytes(0x010203n, 2))).toBe('0x0203')
  })

  test('hex writes quantities without leading zeros', () => {
    expect([toQuantity(0), toQuantity(0n), toQuantity(255n)]).toEqual(['0x0', '0x0', '0xff'])
  })

  test.each(['', '0x', '1', '0xg', '-0x1', '0x1 ', `0x1${'0'.repeat(64)}`])('hex refuses %j as a quantity', (text) => {
    expect(() => fromQuantity(text)).toThrow('is not a hex quantity')
  })

  test('hex refuses a quantity beyond 2^53 as a number', () => {
    expect(fromQuantityToNumber('0x1fffffffffffff')).toBe(Number.MAX_SAFE_INTEGER)
    expect(() => fromQuantityToNumber('0x20000000000000')).toThrow('beyond 2^53')
  })

  test('addresses keep their leading zeros', () => {
    expect(addressToHex(hexToAddress('0x000000000000000000000000000000000000dEaD'))).toBe(
      '0x000000000000000000000000000000000000dead',
    )
    expect(() => hexToAddress('0xdead')).toThrow('is not a 20-byte address')
  })

  test('hex joins bytes in order', () => {
    expect(concatBytes(Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3))).toEqual(Uint8Array.of(1, 2, 3))
  })
})
