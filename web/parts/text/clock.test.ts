import { describe, expect, test } from 'vitest'
import { ageOf, timeText } from './clock.ts'

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5)

describe('times in words', () => {
  test('times in words say their age in at most two units', () => {
    const ages = [400, 4_000, 200_000, 3_600_000, 93_600_000, 11 * 86_400_000].map((ms) => ageOf(NOW_MS - ms, NOW_MS))
    expect(ages).toEqual(['just now', '4s ago', '3m 20s ago', '1h ago', '1d 2h ago', '11d ago'])
  })

  test('times in words say how far away the future is', () => {
    expect(ageOf(NOW_MS + 61_000, NOW_MS)).toBe('in 1m 1s')
  })

  test('times in words follow the clock that the reader chose', () => {
    expect(timeText(NOW_MS, 'utc', NOW_MS)).toBe('2026-01-02 03:04:05 UTC')
    expect(timeText(NOW_MS, 'unix', NOW_MS)).toBe(String(NOW_MS / 1000))
  })
})
