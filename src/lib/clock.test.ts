import { expect, test } from 'vitest'
import { type Clocks, clockAfterLook, clockAtStart, clockWarning } from './clock.ts'

const START: Clocks = { wallMs: 1_700_000_000_000, monotonicMs: 5_000 }

/** Both clocks after `ms`, the wall clock set forward by `setMs`. */
function later(ms: number, setMs = 0): Clocks {
  return { wallMs: START.wallMs + ms + setMs, monotonicMs: START.monotonicMs + ms }
}

function after(...looks: readonly Clocks[]) {
  return looks.reduce(clockAfterLook, clockAtStart(START))
}

test('a wall clock that runs beside the monotonic one, or is slewed, is no reason for a warning', () => {
  const slewed = Array.from({ length: 1_000 }, (_, i) => later(i * 1_000, i))
  expect(clockWarning(after(...slewed))).toBeNull()
  expect(after(...slewed).jumps).toBe(0)
})

test('a wall clock that is set forward or back by an hour is reported with direction and age', () => {
  const forward = after(later(1_000, 3_600_000), later(13_000, 3_600_000))
  expect(clockWarning(forward)).toContain('was set forward by 3600 s, 12 s ago')
  expect(clockWarning(after(later(1_000, -3_600_000)))).toContain('was set back by 3600 s, 0 s ago')
})

test('a wall clock that is set and set again to where it was is right again, and both jumps are counted', () => {
  const back = after(later(1_000, 3_600_000), later(2_000))
  expect(clockWarning(back)).toBeNull()
  expect(back.jumps).toBe(2)
})

test('a wall clock that was set counts as right after ten minutes', () => {
  expect(clockWarning(after(later(1_000, 3_600_000), later(602_000, 3_600_000)))).toBeNull()
})
