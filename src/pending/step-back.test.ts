import { expect, test } from 'vitest'
import type { ExecutionResult } from './executor.ts'
import { EMPTY_CHAIN, type PendingChain } from './pending-chain.ts'
import { BLOCKS_UNTIL_STEP_BACK, createStepBack, STEP_BACK_MS, type Unreproduced } from './step-back.ts'

const { signal } = new AbortController()
const EXECUTED: ExecutionResult = { type: 'executed', states: [] }

function hashOf(height: number) {
  return `0x${height.toString(16).padStart(64, '0')}` as const
}

/** A step back whose clock the test moves, around an executor that counts its runs. */
function setUp(unknownFrom = Number.POSITIVE_INFINITY) {
  const clock = { nowMs: 1_000 }
  const announced: Unreproduced[] = []
  const stepBack = createStepBack({
    unknownAt: ({ number }) => (number >= unknownFrom ? 'the fork lagoon is active' : null),
    nowMs: () => clock.nowMs,
    onStepBack: (first) => announced.push(first),
  })
  let runs = 0
  const executor = stepBack.cautious({
    async follow() {
      runs++
      return EXECUTED
    },
  })
  const pendingAt = (number: number) =>
    ({
      ...EMPTY_CHAIN,
      blocks: [{ hash: hashOf(number), header: { number, timestamp: number } }],
    }) as unknown as PendingChain
  const sealed = (height: number, problem: string | null) =>
    stepBack.sealedRun({ height, hash: hashOf(height), problem })
  return { ...stepBack, clock, announced, executor, pendingAt, sealed, runs: () => runs }
}

test('one block that differs is named, and execution goes on', async () => {
  const { sealed, executor, pendingAt, reproduction } = setUp()
  sealed(7, 'receipts root')
  expect(await executor.follow(pendingAt(8), signal)).toBe(EXECUTED)
  expect(reproduction()).toMatchObject({
    isSteppedBack: false,
    blocks: 1,
    first: { height: 7, reason: 'receipts root' },
  })
})

test('several blocks that differ make it step back, and the first of them is named', async () => {
  const { sealed, executor, pendingAt, reproduction, announced, runs } = setUp()
  for (let height = 7; height < 7 + BLOCKS_UNTIL_STEP_BACK; height++) sealed(height, `gas of ${height}`)
  expect(await executor.follow(pendingAt(20), signal)).toMatchObject({
    type: 'unavailable',
    reason: expect.stringContaining('block 7: gas of 7'),
  })
  expect(runs()).toBe(0)
  expect(reproduction()).toMatchObject({ isSteppedBack: true, first: { height: 7, hash: hashOf(7) } })
  expect(announced).toHaveLength(1)
})

test('the executor tries again after a while, and forgets the block once others are reproduced', async () => {
  const { clock, sealed, executor, pendingAt, reproduction } = setUp()
  for (let height = 7; height < 10; height++) sealed(height, 'gas')
  clock.nowMs += STEP_BACK_MS
  expect(await executor.follow(pendingAt(500), signal)).toBe(EXECUTED)
  expect(reproduction().first).not.toBeNull()
  sealed(500, null)
  expect(reproduction()).toEqual({ isSteppedBack: false, first: null, blocks: 3 })
})

test('blocks that differ rarely do not make it step back', () => {
  const { clock, sealed, reproduction } = setUp()
  for (let height = 0; height < 10; height++) {
    sealed(height, 'gas')
    clock.nowMs += STEP_BACK_MS / 2
  }
  expect(reproduction().isSteppedBack).toBe(false)
})

test('a block with the marks of an unknown fork is not executed at all', async () => {
  const { executor, pendingAt, reproduction, runs } = setUp(50)
  expect(await executor.follow(pendingAt(49), signal)).toBe(EXECUTED)
  for (const height of [50, 51]) {
    const result = await executor.follow(pendingAt(height), signal)
    expect(result).toMatchObject({ type: 'unavailable', reason: expect.stringContaining('lagoon') })
  }
  expect(runs()).toBe(1)
  expect(reproduction()).toMatchObject({ isSteppedBack: true, blocks: 1, first: { height: 50 } })
})

test('a block with a transaction of an unknown type makes it step back at once, and it says so once', async () => {
  const { cannotRun, executor, pendingAt, reproduction, announced, clock, sealed } = setUp()
  cannotRun({ height: 5, hash: hashOf(5), reason: 'transaction type 0x7d is unknown' })
  cannotRun({ height: 6, hash: hashOf(6), reason: 'transaction type 0x7d is unknown' })
  // A run that was under way ends well: the block before it had nothing unknown.
  sealed(4, null)
  expect(await executor.follow(pendingAt(7), signal)).toMatchObject({
    type: 'unavailable',
    reason: expect.stringContaining('block 5: transaction type 0x7d is unknown'),
  })
  expect(reproduction()).toMatchObject({ isSteppedBack: true, blocks: 2, first: { height: 5 } })
  expect(announced).toHaveLength(1)
  clock.nowMs += STEP_BACK_MS
  expect(await executor.follow(pendingAt(8), signal)).toBe(EXECUTED)
})
