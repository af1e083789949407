import { expect, test } from 'vitest'
import { backoffMs, createWakeSignal, sleep, unlessAborted } from './wait.ts'

const never = new AbortController().signal

test('a sleep ends with the reason of its signal', async () => {
  const stopping = new AbortController()
  const sleeping = sleep(60_000, stopping.signal)
  stopping.abort(new Error('stop'))
  await expect(sleeping).rejects.toThrow('stop')
  await expect(sleep(0, stopping.signal)).rejects.toThrow('stop')
  await sleep(0, never)
})

test('a promise wins over a signal that comes later, and loses against one that comes first', async () => {
  const stopping = new AbortController()
  expect(await unlessAborted(Promise.resolve(5), stopping.signal)).toBe(5)
  const waiting = unlessAborted(new Promise(() => undefined), stopping.signal)
  stopping.abort(new Error('stop'))
  await expect(waiting).rejects.toThrow('stop')
  await expect(unlessAborted(Promise.resolve(5), stopping.signal)).rejects.toThrow('stop')
})

test('pauses double from half to all of their length, up to the longest', () => {
  for (const [attempt, wholeMs] of [
    [0, 50],
    [1, 100],
    [4, 800],
    [20, 5_000],
    [5_000, 5_000],
  ] as const) {
    const ms = backoffMs(attempt)
    expect(ms, String(attempt)).toBeGreaterThanOrEqual(wholeMs / 2)
    expect(ms, String(attempt)).toBeLessThanOrEqual(wholeMs)
  }
  expect(backoffMs(3, { firstMs: 1, mostMs: 4 })).toBeLessThanOrEqual(4)
})

test('a wake ends the wait, and one that came before ends the next wait only', async () => {
  const signal = createWakeSignal()
  const waiting = signal.wait(60_000, never)
  signal.wake()
  await waiting
  signal.wake()
  await signal.wait(60_000, never)
  let isOver = false
  const third = signal.wait(60_000, never).then(() => {
    isOver = true
  })
  await sleep(5, never)
  expect(isOver).toBe(false)
  signal.wake()
  await third
})

test('a wait ends quietly with its time and with its signal', async () => {
  const signal = createWakeSignal()
  await signal.wait(1, never)
  await signal.wait(60_000, AbortSignal.abort())
})
