import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amountAtLeast,
  amountAtMost,
  compareDecimals,
  decimalFrom,
  plainDecimal,
  productOf,
  quotientFrom,
} from './decimal.ts'

const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const scales = fc.integer({ min: 0, max: 80 })

describe('a decimal', () => {
  test.each([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [150851832900380503n, 18, '0.150851832900380503'],
    [499n * 10n ** 18n, 18, '499'],
    [1500000n, 6, '1.5'],
    [-1500000n, 6, '-1.5'],
    [100n, 0, '100'],
    [2n ** 256n - 1n, 0, '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
  ] as const)('the decimal of %s with %s decimals is %s', (amount, decimals, text) => {
    expect(decimalFrom(amount, decimals)).toBe(text)
  })

  test('a decimal has no exponent and no trailing zero, and stands for exactly the amount it came from', () => {
    fc.assert(
      fc.property(amounts, scales, (amount, decimals) => {
        const text = decimalFrom(amount, decimals)
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(amountAtLeast(text, decimals)).toBe(amount)
        expect(amountAtMost(text, decimals)).toBe(amount)
      }),
    )
  })
})

describe('a quotient', () => {
  test('a quotient equals that of the recorded blocks', () => {
    // AVAXC 38309023 and ETH 735732 as the real service gave them.
    expect(quotientFrom(30109252000000000n, 1085434n, 18)).toBe('0.000000027739366926')
    expect(quotientFrom(12841864000000000n, 249382n, 18)).toBe('0.000000051494751025')
  })

  test('a quotient is the nearest decimal to the exact one', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 12n }), (dividend, divisor) => {
        const rounded = amountAtMost(quotientFrom(dividend, divisor, 18), 18)
        const error = 2n * (dividend - rounded * divisor)
        expect(error < divisor && error >= -divisor).toBe(true)
      }),
    )
  })

  test('a quotient by zero is 0', () => {
    expect(quotientFrom(5n, 0n, 18)).toBe('0')
  })
})

describe('a bound', () => {
  test('a bound with more decimals than the token has lies between two amounts', () => {
    expect(amountAtLeast('1.0000001', 6)).toBe(1000001n)
    expect(amountAtMost('1.0000001', 6)).toBe(1000000n)
    expect(amountAtLeast('0.5', 0)).toBe(1n)
    expect(amountAtMost('0.5', 0)).toBe(0n)
  })
})

describe('a product', () => {
  test('a product is exact', () => {
    expect(productOf('1.5', '0.000000000000000001')).toBe('0.0000000000000000015')
    expect(productOf('0', '12.5')).toBe('0')
  })

  test('a product of decimals is the decimal of the product of the amounts', () => {
    fc.assert(
      fc.property(amounts, scales, amounts, scales, (a, x, b, y) => {
        expect(productOf(decimalFrom(a, x), decimalFrom(b, y))).toBe(decimalFrom(a * b, x + y))
      }),
    )
  })
})

test('decimals are compared as numbers', () => {
  expect(['10', '9.5', '9.45', '0.000001', '9.5'].sort(compareDecimals)).toEqual([
    '0.000001',
    '9.45',
    '9.5',
    '9.5',
    '10',
  ])
})

test.each([
  [1, '1'],
  [0, '0'],
  [0.5, '0.5'],
  [2500.75, '2500.75'],
  [1e-7, '0.0000001'],
  [1.25e-9, '0.00000000125'],
  [1e21, '1000000000000000000000'],
  [1.5e21, '1500000000000000000000'],
  [100, '100'],
  ['1.2500', '1.25'],
  ['007', '7'],
  [-1, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['abc', undefined],
  [null, undefined],
])('the plain decimal of %s is %s', (value, text) => {
  expect(plainDecimal(value)).toBe(text)
})
