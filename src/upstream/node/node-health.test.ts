import { expect, test } from 'vitest'
import { healthAfterAnswer, healthAfterFailure, type NodeHealth, problemOf, startingHealth } from './node-health.ts'

const limits = { silentMs: 6_000, staleMs: 0 }
const answer = { chainId: 10, genesisHash: '0x01', height: 1 } as const

/** A head every two seconds, until the given height. */
function regular(heights: number): NodeHealth {
  let health = startingHealth(0)
  for (let height = 1; height <= heights; height++) {
    health = healthAfterAnswer(health, { ...answer, height }, height * 2_000)
  }
  return health
}

test('a node that answers and moves has no problem', () => {
  expect(problemOf(regular(10), limits, 21_000)).toBeUndefined()
})

test('a node that never answered is named with the reason once the time is over', () => {
  const health = healthAfterFailure(startingHealth(0), 'connect ECONNREFUSED')
  expect(problemOf(health, limits, 5_000)).toBeUndefined()
  expect(problemOf(health, limits, 7_000)).toBe('it has not answered for 7 s (connect ECONNREFUSED)')
})

test('a node whose blocks came regularly and that answers the same head for long is stuck, within ten seconds', () => {
  const stuck = healthAfterAnswer(regular(10), { ...answer, height: 10 }, 29_500)
  expect(problemOf(stuck, limits, 29_500)).toBe('it has had no block above 10 for 10 s, and answers 10')
})

test('a node that answers old heads is stuck too, until it is above what it had', () => {
  const old = healthAfterAnswer(regular(10), { ...answer, height: 3 }, 29_500)
  expect(problemOf(old, limits, 29_500)).toContain('answers 3')
  const back = healthAfterAnswer(old, { ...answer, height: 11 }, 30_000)
  expect(problemOf(back, limits, 30_500)).toBeUndefined()
})

test('a chain that makes blocks on demand is never stuck, unless a time is set', () => {
  let health = startingHealth(0)
  for (const [index, second] of [1, 2, 3, 60, 61, 62, 63, 64].entries()) {
    health = healthAfterAnswer(health, { ...answer, height: index + 1 }, second * 1_000)
  }
  const later = healthAfterAnswer(health, { ...answer, height: 8 }, 500_000)
  expect(problemOf(later, limits, 500_000)).toBeUndefined()
  expect(problemOf(later, { ...limits, staleMs: 60_000 }, 500_000)).toContain('no block above 8')
})

test('a node whose chain id or first block changes is of another chain until it is the old one again', () => {
  const health = regular(5)
  const otherId = healthAfterAnswer(health, { ...answer, chainId: 11, height: 6 }, 11_000)
  expect(problemOf(otherId, limits, 11_000)).toBe('it serves chain 11 instead of 10')
  const otherGenesis = healthAfterAnswer(health, { ...answer, genesisHash: '0x02', height: 6 }, 11_000)
  expect(problemOf(otherGenesis, limits, 11_000)).toBe('its first block is 0x02 instead of 0x01')
  expect(problemOf(healthAfterAnswer(otherId, { ...answer, height: 6 }, 12_000), limits, 12_000)).toBeUndefined()
})

const minute = { ...answer, height: 100, blockTimesMs: [50_000, 52_000, 54_000, 56_000, 58_000, 60_000] } as const

test('a node whose head was old before anybody looked is stuck until a new head comes', () => {
  const old = healthAfterAnswer(startingHealth(100_000), minute, 100_000)
  expect(problemOf(old, limits, 100_000)).toBe('it has had no block above 100 for 40 s, and answers 100')
  const moved = healthAfterAnswer(old, { ...answer, height: 101 }, 101_000)
  expect(problemOf(moved, limits, 102_000)).toBeUndefined()
  expect(moved.gapsMs).toEqual([2_000, 2_000, 2_000, 2_000, 2_000])
})

test('a node whose last blocks came irregularly, or lie in the future, has no old head', () => {
  const onDemand = { ...minute, blockTimesMs: [1_000, 2_000, 40_000, 41_000, 59_000, 60_000] }
  expect(problemOf(healthAfterAnswer(startingHealth(0), onDemand, 200_000), limits, 200_000)).toBeUndefined()
  const future = healthAfterAnswer(startingHealth(0), minute, 55_000)
  expect(problemOf(future, limits, 60_000)).toBeUndefined()
  const stands = healthAfterAnswer(future, { ...answer, height: 100 }, 64_000)
  expect(problemOf(stands, limits, 64_000)).toContain('no block above 100')
})
