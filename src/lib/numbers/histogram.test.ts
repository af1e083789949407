import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bucketOf,
  countIn,
  EMPTY_HISTOGRAM,
  histogramOf,
  histogramSum,
  histogramWithout,
  largestIn,
  quantileOf,
} from './histogram.ts'

const times = fc.array(fc.nat(2_000_000), { minLength: 1, maxLength: 200 })

test('a quantile is at most three per cent above the exact value, and never below', () => {
  fc.assert(
    fc.property(times, fc.constantFrom(0, 0.5, 0.95, 0.99, 1), (values, share) => {
      const sorted = values.toSorted((a, b) => a - b)
      const exact = sorted[Math.max(1, Math.ceil(share * values.length)) - 1]!
      const found = quantileOf(histogramOf(values), share)!
      expect(found).toBeGreaterThanOrEqual(exact)
      expect(found).toBeLessThanOrEqual(exact * 1.03125)
    }),
    { seed: 5 },
  )
})

test('the sum of two histograms is the histogram of all values, and subtracting one leaves the other', () => {
  fc.assert(
    fc.property(times, times, (some, others) => {
      const sum = histogramSum([histogramOf(some), histogramOf(others)])
      expect(sum).toEqual(histogramOf([...some, ...others]))
      expect(histogramWithout(sum, histogramOf(others))).toEqual(histogramOf(some))
      expect(countIn(sum)).toBe(some.length + others.length)
    }),
    { seed: 6 },
  )
})

test('buckets of a histogram follow each other without a gap', () => {
  for (let value = 0; value < 5_000; value++) {
    expect(largestIn(bucketOf(value))).toBeGreaterThanOrEqual(value)
    expect(bucketOf(value + 1) - bucketOf(value)).toBe(largestIn(bucketOf(value)) === value ? 1 : 0)
  }
})

test('an empty histogram has no quantile, and a negative time counts as zero', () => {
  expect(quantileOf(EMPTY_HISTOGRAM, 0.5)).toBeNull()
  expect(quantileOf(histogramOf([-20]), 0.5)).toBe(0)
})
