import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom } from './random.ts'

const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

describe('random', () => {
  test('the random generator repeats itself for the same seed and not for another', () => {
    const throws = (seed: number) => {
      const random = createRandom(seed)
      return Array.from({ length: 20 }, () => random.below(1_000))
    }
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(throws(seed)).toEqual(throws(seed))
      }),
    )
    expect(throws(1)).not.toEqual(throws(2))
    expect(throws(1)).not.toEqual(throws(1 + 2 ** 32))
  })

  test('the random generator stays below the limit and reaches every number', () => {
    const random = createRandom(7)
    const seen = new Set(Array.from({ length: 1_000 }, () => random.below(10)))
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('the random generator keeps its chances', () => {
    const random = createRandom(7)
    const hits = Array.from({ length: 10_000 }, () => random.chance(0.2)).filter(Boolean).length
    expect(hits).toBeGreaterThan(1_800)
    expect(hits).toBeLessThan(2_200)
  })

  test('the random generator picks different members, as many as there are', () => {
    fc.assert(
      fc.property(seeds, fc.uniqueArray(fc.integer()), fc.nat(20), (seed, list, count) => {
        const picked = createRandom(seed).pickMany(list, count)
        expect(new Set(picked).size).toBe(Math.min(count, list.length))
        expect(picked.every((member) => list.includes(member))).toBe(true)
      }),
    )
  })

  test('the random generator gives amounts between its bounds', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const amount = createRandom(seed).amount(0.001, 900)
        expect(amount).toBeGreaterThanOrEqual(0.001)
        expect(amount).toBeLessThanOrEqual(900)
      }),
    )
  })
})
