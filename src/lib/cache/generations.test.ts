import { expect, test } from 'vitest'
import { createGenerations } from './generations.ts'

test('keeps at least the last few that were used, and never more than twice as many', () => {
  const kept = createGenerations<number, string>(10)
  for (let i = 0; i < 1_000; i++) {
    kept.set(i, `${i}`)
    expect(kept.get(0)).toBe('0')
    for (let j = Math.max(0, i - 8); j <= i; j++) expect(kept.get(j)).toBe(`${j}`)
  }
  const left = Array.from({ length: 1_000 }, (_, i) => i).filter((i) => kept.get(i) !== undefined)
  expect(left.length).toBeLessThanOrEqual(20)
})

test('a later value takes the place of an earlier one, old or young', () => {
  const kept = createGenerations<string, number>(2)
  kept.set('a', 1)
  kept.set('b', 1)
  kept.set('c', 1)
  kept.set('a', 2)
  expect(kept.get('a')).toBe(2)
})
