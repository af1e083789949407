import { expect, test } from 'vitest'
import { createTimeSlice, TIME_SLICE_MS, yieldToOthers } from './time-slices.ts'

function spin(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

test('a time slice that is not used up does not pause', () => {
  expect(createTimeSlice().pauseIfUsedUp()).toBeUndefined()
})

test('a time slice that is used up lets the event loop do a round, and calls behind it keep their order', async () => {
  const slice = createTimeSlice()
  const order: string[] = []
  setImmediate(() => order.push('other work'))
  spin(TIME_SLICE_MS + 1)
  await Promise.all(['first', 'second'].map((name) => slice.pauseIfUsedUp()!.then(() => order.push(name))))
  expect(order).toEqual(['other work', 'first', 'second'])
})

test('yielding to others ends with an error when the signal is aborted', async () => {
  await expect(yieldToOthers(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
})
