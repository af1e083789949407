import { expect, test } from 'vitest'
import { histogramOf } from '../../lib/numbers/histogram.ts'
import { barsOf } from './quality-answers.ts'

test('the histogram of latencies counts every time once, in the bar that it ends in', () => {
  const bars = barsOf(histogramOf([0, 25, 26, 50, 60, 199, 950, 60_000, 70_000]))
  const counts = Object.fromEntries(
    bars.filter(({ count }) => count > 0).map(({ toMs, count }) => [String(toMs), count]),
  )
  expect(counts).toEqual({ 25: 2, 50: 2, 100: 1, 200: 1, 1000: 1, null: 2 })
})

test('the histogram of latencies has empty bars where nothing was measured', () => {
  expect(barsOf({}).every(({ count }) => count === 0)).toBe(true)
  expect(barsOf({}).at(-1)).toEqual({ toMs: null, count: 0 })
})
