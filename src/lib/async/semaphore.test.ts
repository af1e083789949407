import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

const calm = new AbortController().signal

test('lets no more through at once than the limit of the moment', async () => {
  let limit = 2
  const gate = createSemaphore(() => limit)
  const ends: (() => void)[] = []
  const order: number[] = []
  const all = [0, 1, 2, 3].map((name) =>
    gate.run(async () => {
      order.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
    }, calm),
  )
  await settled()
  expect(order).toEqual([0, 1])
  limit = 3
  ends[0]!()
  await settled()
  expect(order).toEqual([0, 1, 2, 3])
  for (const end of ends) end()
  await Promise.all(all)
  expect(gate.running).toBe(0)
})

test('gives the place of who failed to the next', async () => {
  const gate = createSemaphore(() => 1)
  const failing = gate.run(() => Promise.reject(new Error('broken')), calm)
  await expect(failing).rejects.toThrow('broken')
  expect(await gate.run(async () => 'through', calm)).toBe('through')
})

test('forgets who gives up waiting', async () => {
  const gate = createSemaphore(() => 1)
  const first = Promise.withResolvers<void>()
  const inside = gate.run(() => first.promise, calm)
  const impatient = new AbortController()
  const waiting = gate.run(async () => 'never', impatient.signal)
  impatient.abort(new Error('too long'))
  await expect(waiting).rejects.toThrow('too long')
  first.resolve()
  await inside
  expect(await gate.run(async () => 'next', calm)).toBe('next')
})

function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}
