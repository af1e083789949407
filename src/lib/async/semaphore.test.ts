import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

const neverAborted = new AbortController().signal

test('a semaphore runs no more at once than its present limit', async () => {
  let limit = 2
  const semaphore = createSemaphore(() => limit)
  const ends: (() => void)[] = []
  const order: number[] = []
  const all = [0, 1, 2, 3].map((name) =>
    semaphore.run(async () => {
      order.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
    }, neverAborted),
  )
  await settled()
  expect(order).toEqual([0, 1])
  limit = 3
  ends[0]!()
  await settled()
  expect(order).toEqual([0, 1, 2, 3])
  for (const end of ends) end()
  await Promise.all(all)
  expect(semaphore.running).toBe(0)
})

test('a task that failed frees its slot of the semaphore', async () => {
  const semaphore = createSemaphore(() => 1)
  const failing = semaphore.run(() => Promise.reject(new Error('broken')), neverAborted)
  await expect(failing).rejects.toThrow('broken')
  expect(await semaphore.run(async () => 'through', neverAborted)).toBe('through')
})

test('a semaphore never runs a task whose signal aborted while it waited', async () => {
  const semaphore = createSemaphore(() => 1)
  const first = Promise.withResolvers<void>()
  const inside = semaphore.run(() => first.promise, neverAborted)
  const aborted = new AbortController()
  const waiting = semaphore.run(async () => 'never', aborted.signal)
  aborted.abort(new Error('too long'))
  await expect(waiting).rejects.toThrow('too long')
  first.resolve()
  await inside
  expect(await semaphore.run(async () => 'next', neverAborted)).toBe('next')
})

function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}
