import { expect, test } from 'vitest'
import { plainDecimal } from './plain-decimal.ts'

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
])('%s is spelled %s', (value, text) => {
  expect(plainDecimal(value)).toBe(text)
})
