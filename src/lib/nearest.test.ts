import { expect, test } from 'vitest'
import { nearestOf } from './nearest.ts'

const known = ['start', 'doctor', 'migrate', 'keys']

test.each([
  ['strat', 'start'],
  ['STAR', 'start'],
  ['docter', 'doctor'],
  ['migrat', 'migrate'],
  ['key', 'keys'],
  ['elephant', undefined],
  ['', undefined],
])('the word %j is taken for %j', (word, meant) => {
  expect(nearestOf(word, known)).toBe(meant)
})
