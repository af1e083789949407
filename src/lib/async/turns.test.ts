import { expect, test } from 'vitest'
import { createTurns, TIME_SLICE_MS } from './turns.ts'

function useSlice(): void {
  const endMs = performance.now() + TIME_SLICE_MS
  while (performance.now() < endMs);
}

function nextRound() {
  return new Promise((resolve) => setImmediate(resolve))
}

async function untilIdle({ waiting }: { waiting(): number }): Promise<void> {
  while (waiting() > 0) await nextRound()
}

test('a job runs at once while nobody waits and the slice is not used up', () => {
  const turns = createTurns()
  const done: number[] = []
  turns.run('one', () => done.push(1))
  turns.run('other', () => done.push(2))
  expect(done).toEqual([1, 2])
})

test('a client with one job waits for one slice of a client with many, not for all of them', async () => {
  const turns = createTurns()
  const done: string[] = []
  for (let i = 0; i < 10; i++) {
    turns.run('greedy', () => {
      useSlice()
      done.push('greedy')
    })
  }
  turns.run('modest', () => done.push('modest'))
  await untilIdle(turns)
  expect(done.indexOf('modest')).toBeLessThanOrEqual(2)
  expect(done).toHaveLength(11)
})

test('what a client has begun goes on before it begins more while another client waits', async () => {
  const order = async (others: number) => {
    const turns = createTurns()
    const done: string[] = []
    const waiting = [
      turns.toBegin('one').then(() => done.push('begin')),
      turns.toGoOn('one').then(() => done.push('go on')),
      ...Array.from({ length: others }, () => turns.toGoOn('other')),
    ]
    await Promise.all(waiting)
    return done
  }
  expect(await order(2)).toEqual(['go on', 'begin'])
  expect(await order(0)).toEqual(['begin', 'go on'])
})

test('the event loop does a round between two slices', async () => {
  const turns = createTurns()
  let rounds = 0
  const counting = setInterval(() => undefined, 1_000)
  const count = () => {
    rounds++
    if (turns.waiting() > 0) setImmediate(count)
  }
  for (let i = 0; i < 5; i++) turns.run('one', useSlice)
  count()
  await untilIdle(turns)
  clearInterval(counting)
  expect(rounds).toBeGreaterThanOrEqual(4)
})
