import { expect, test } from 'vitest'
import { createTurns } from '../../lib/async/turns.ts'
import { createRequestWork, createWorkBalances, UNITS_PER_CALL } from './client-work.ts'

function workOf(burst: number, isGone = () => false) {
  let nowMs = 0
  const balance = createWorkBalances({ perSecond: 1_000, burst }, () => nowMs).of('one')
  const another = () => createRequestWork({ client: 'one', isGone }, { turns: createTurns(), balance })
  return {
    work: another(),
    another,
    balance,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

test('a call is refused once the balance of its client is spent, until it is refilled', async () => {
  const { work, another, balance, pass } = workOf(3 * UNITS_PER_CALL)
  await work.beginCall()
  work.charge(3 * UNITS_PER_CALL)
  await expect(async () => work.beginCall()).rejects.toThrow('the work balance of this client is spent')
  expect(balance.left()).toMatchObject({ remaining: 0, limit: 3 * UNITS_PER_CALL })
  pass(60_000)
  await another().beginCall()
})

test('a long run ends at the end of its slice when its balance is spent', async () => {
  const { work } = workOf(100_000)
  await expect(work.endSlice()).rejects.toThrow('the work balance of this client is spent')
})

test('a long run ends at the end of its slice when its caller is gone', async () => {
  let isGone = false
  const { work } = workOf(10_000_000, () => isGone)
  await work.endSlice()
  isGone = true
  await expect(work.endSlice()).rejects.toThrow('the client closed the connection')
})
