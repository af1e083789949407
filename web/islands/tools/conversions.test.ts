import { describe, expect, test } from 'vitest'
import { fromUnits, hexFromText, textFromHex, toUnits } from './conversions.ts'

describe('units', () => {
  test('units are converted exactly in both directions', () => {
    for (const [text, decimals, wei] of [
      ['1.5', 18, 1_500_000_000_000_000_000n],
      ['0.000000001', 9, 1n],
      ['.5', 9, 500_000_000n],
      ['1,000', 0, 1000n],
      ['-2', 18, -2_000_000_000_000_000_000n],
      ['115792089237316195423570985008687907853269984665640564039457584007913129639935', 0, 2n ** 256n - 1n],
    ] as const) {
      expect(fromUnits(text, decimals), text).toBe(wei)
      expect(fromUnits(toUnits(wei, decimals), decimals), text).toBe(wei)
    }
    expect(toUnits(1_500_000_000_000_000_000n, 18)).toBe('1.5')
    expect(toUnits(0n, 18)).toBe('0')
  })

  test('the unit converter refuses what is no number and what is less than a wei', () => {
    for (const wrong of ['', '.', 'x', '1.2.3', '1e3', '0x10']) {
      expect(() => fromUnits(wrong, 18), wrong).toThrow('A number such as 1.5')
    }
    expect(() => fromUnits('0.1', 0)).toThrow('cannot be divided')
  })
})

describe('text and hex', () => {
  test('text and hex give each other back', () => {
    for (const text of ['', 'first light', 'Grüße 🌅', '\0']) expect(textFromHex(hexFromText(text))).toBe(text)
    expect(hexFromText('é')).toBe('0xc3a9')
  })

  test('text and hex refuse half a byte and what is no UTF-8', () => {
    expect(() => textFromHex('0x1')).toThrow('even number')
    expect(() => textFromHex('zz')).toThrow('even number')
    expect(() => textFromHex('0xff')).toThrow('not valid UTF-8')
  })
})
