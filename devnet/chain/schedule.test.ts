import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTestChain } from './chain-for-tests.ts'
import type { Clock } from './schedule.ts'
import { beats, flashblocksPerBlock } from './schedule.ts'

/** Sleeping takes as long as it should, and then some. */
function sluggishClock(startMs: number, delays: readonly number[]): Clock & { spend(ms: number): void } {
  let nowMs = startMs
  let sleeps = 0
  return {
    nowMs: () => nowMs,
    sleepUntil: async (timeMs) => {
      nowMs = Math.max(nowMs, timeMs) + (delays[sleeps++] ?? 0)
    },
    spend: (ms) => {
      nowMs += ms
    },
  }
}

async function firstBeats(clock: Clock, schedule: { blockMs: number; flashblockMs: number }, count: number) {
  const taken: { block: number; atMs: number }[] = []
  for await (const block of beats(clock, schedule, new AbortController().signal)) {
    taken.push({ block, atMs: clock.nowMs() })
    if (taken.length === count) return taken
  }
  throw new Error('ended early')
}

const USUAL = { blockMs: 1_000, flashblockMs: 200 }

describe('the schedule', () => {
  test('the schedule starts on a whole second and has five beats to a block', async () => {
    const taken = await firstBeats(sluggishClock(10_300, []), USUAL, 12)
    expect(taken.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 12 }, (_, i) => 11_000 + 200 * i))
    expect(taken.map(({ block }) => block)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
  })

  test('the schedule does not drift, however late each beat is', async () => {
    const delays = Array.from({ length: 1_000 }, (_, i) => (i * 7) % 150)
    const taken = await firstBeats(sluggishClock(0, delays), USUAL, 1_000)
    for (const [i, { atMs }] of taken.entries()) expect(atMs).toBe(200 * i + delays[i]!)
  })

  test('the schedule leaves out what it missed', async () => {
    const taken = await firstBeats(sluggishClock(0, [0, 0, 2_750]), USUAL, 6)
    expect(taken).toEqual([
      { block: 0, atMs: 0 },
      { block: 0, atMs: 200 },
      { block: 0, atMs: 3_150 },
      { block: 3, atMs: 3_150 },
      { block: 3, atMs: 3_200 },
      { block: 3, atMs: 3_400 },
    ])
  })

  test('the schedule gives each block no more beats than it has room for, whatever the times', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 3_000 }),
        fc.integer({ min: 20, max: 4_000 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 40 }),
        async (blockMs, flashblockMs, delays) => {
          const schedule = { blockMs, flashblockMs }
          const taken = await firstBeats(sluggishClock(0, delays), schedule, 60)
          for (const [i, { block }] of taken.entries()) {
            expect(block).toBeGreaterThanOrEqual(taken[i - 1]?.block ?? 0)
            expect(taken.filter((other) => other.block === block).length).toBeLessThanOrEqual(
              flashblocksPerBlock(schedule),
            )
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  test('the schedule makes blocks until the signal comes, and keeps what was preconfirmed', async () => {
    const clock = sluggishClock(1_760_000_000_000, [])
    const { chain, messages } = createTestChain({ clock })
    const controller = new AbortController()
    chain.on((event) => {
      if (event.type === 'flashblock' && messages.length === 23) controller.abort()
    })
    await chain.run(controller.signal)
    expect(messages.map(({ index }) => index)).toEqual(Array.from({ length: 23 }, (_, i) => i % 5))
    expect(chain.head().header.number).toBe(5)
    // The first block had the second in which everything began.
    expect(chain.head().header.timestamp).toBe(1_760_000_005)
  })
})
