import { describe, expect, test } from 'vitest'
import { compact, grouped, gweiFrom, shortened } from './numbers.ts'

describe('numbers for people', () => {
  test('numbers for people are grouped in front of the point only', () => {
    expect(grouped('1234567.0001234')).toBe('1,234,567.0001234')
    expect(grouped('-1000')).toBe('-1,000')
  })

  test('numbers for people are cut, never rounded up, and never to nothing', () => {
    expect(shortened('1.9999999', 6)).toBe('1.999999')
    expect(shortened('2.0000001', 6)).toBe('2')
    expect(shortened('0.0000001', 6)).toBe('<0.000001')
    expect(shortened('0', 6)).toBe('0')
  })

  test('numbers for people become short figures from ten thousand on', () => {
    expect([9_999, 10_000, 30_000_000, 1_250_000_000].map(compact)).toEqual(['9,999', '10K', '30M', '1.3B'])
  })

  test('a number of native units moves by nine decimals to become gwei', () => {
    expect(gweiFrom('0.000000001')).toBe('1')
    expect(gweiFrom('0.0000000015')).toBe('1.5')
    expect(gweiFrom('12')).toBe('12000000000')
    expect(gweiFrom('0')).toBe('0')
  })
})
