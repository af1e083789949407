import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Pace, type PaceEvent, type PaceLimits, paceAfter, startingPace } from './pace.ts'

const limits: PaceLimits = { maxConcurrency: 8, maxBatch: 40, slowMs: 100 }
const pace: Pace = { concurrency: 4, batch: 20, mostBatch: 40, slowedMs: 1_000 }
const quick: PaceEvent = { type: 'answered', startedMs: 2_000, endedMs: 2_010, calls: 20 }
function failed(kind: 'timeout' | 'throttled' | 'batch refused'): PaceEvent {
  return { ...quick, type: 'failed', kind }
}

test('quick answers speed up, a step at a time, to the limits', () => {
  const once = paceAfter(pace, limits, quick)
  expect(once.concurrency).toBe(4.25)
  expect(once.batch).toBeGreaterThan(20)
  let many = pace
  for (let i = 0; i < 1_000; i++) many = paceAfter(many, limits, { ...quick, calls: 40 })
  expect(many).toMatchObject({ concurrency: 8, batch: 40 })
})

test('an answer to less than a whole batch says nothing of larger ones', () => {
  expect(paceAfter(pace, limits, { ...quick, calls: 5 }).batch).toBe(20)
})

test('a slow answer halves the batch, and leaves the concurrency', () => {
  const slower = paceAfter(pace, limits, { ...quick, endedMs: 2_500 })
  expect(slower).toEqual({ ...pace, batch: 10, slowedMs: 2_500 })
})

test('a failure halves the concurrency, and the batch where size may be to blame', () => {
  expect(paceAfter(pace, limits, failed('throttled'))).toMatchObject({ concurrency: 2, batch: 20 })
  expect(paceAfter(pace, limits, failed('timeout'))).toMatchObject({ concurrency: 2, batch: 10 })
})

test('a batch that was refused as such is not tried again', () => {
  let slowed = paceAfter(pace, limits, failed('batch refused'))
  for (let i = 0; i < 100; i++)
    slowed = paceAfter(slowed, limits, { ...quick, startedMs: 9_000, endedMs: 9_001, calls: 10 })
  expect(slowed.batch).toBe(10)
})

test('failures of exchanges that began before the last slowing count once', () => {
  const slowed = paceAfter(pace, limits, failed('timeout'))
  expect(paceAfter(slowed, limits, { ...failed('timeout'), startedMs: slowed.slowedMs - 1 })).toBe(slowed)
})

test('whatever happens, there is always room for one and never for more than allowed', () => {
  const event = fc
    .record({
      type: fc.constantFrom('answered' as const, 'failed' as const),
      kind: fc.constantFrom('timeout' as const, 'batch refused' as const, 'server' as const),
      startedMs: fc.nat(10_000),
      tookMs: fc.nat(300),
      calls: fc.integer({ min: 1, max: 40 }),
    })
    .map(({ tookMs, ...rest }): PaceEvent => ({ ...rest, endedMs: rest.startedMs + tookMs }))
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const { concurrency, batch } = events.reduce((at, each) => paceAfter(at, limits, each), startingPace(limits))
      expect(concurrency).toBeGreaterThanOrEqual(1)
      expect(concurrency).toBeLessThanOrEqual(limits.maxConcurrency)
      expect(batch).toBeGreaterThanOrEqual(1)
      expect(batch).toBeLessThanOrEqual(limits.maxBatch)
    }),
  )
})
