import { expect, test } from 'vitest'
import { createGate } from './semaphore.ts'

const calm = new AbortController().signal

test('lets no more through at once than the limit of the moment', async () => {
  let limit = 2
  const gate = createGate(() => limit)
  const ends: (() => void)[] = []
  const order: number[] = []
  const all = [0, 1, 2, 3].map((name) =>
    gate.pass(async () => {
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
  expect(gate.inside).toBe(0)
})

test('gives the place of who failed to the next', async () => {
  const gate = createGate(() => 1)
  const failing = gate.pass(() => Promise.reject(new Error('broken')), calm)
  await expect(failing).rejects.toThrow('broken')
  expect(await gate.pass(async () => 'through', calm)).toBe('through')
})

test('forgets who gives up waiting', async () => {
  const gate = createGate(() => 1)
  const first = Promise.withResolvers<void>()
  const inside = gate.pass(() => first.promise, calm)
  const impatient = new AbortController()
  const waiting = gate.pass(async () => 'never', impatient.signal)
  impatient.abort(new Error('too long'))
  await expect(waiting).rejects.toThrow('too long')
  first.resolve()
  await inside
  expect(await gate.pass(async () => 'next', calm)).toBe('next')
})

function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}
