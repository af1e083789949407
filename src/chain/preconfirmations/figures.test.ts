import { expect, test } from 'vitest'
import { figuresWithout, NO_FIGURES, sumOfFigures } from './figures.ts'

const first = { ...NO_FIGURES, blocks: 2, kept: 5, dropped: 1, silenceMs: 300 }
const second = { ...NO_FIGURES, blocks: 1, kept: 3, silenceMs: 900 }

test('figures of several spans are added up, and the longest silence is the longest of all', () => {
  expect(sumOfFigures([first, second])).toMatchObject({ blocks: 3, kept: 8, dropped: 1, silenceMs: 900 })
})

test('the sum of no figures is zero', () => {
  expect(sumOfFigures([])).toEqual(NO_FIGURES)
})

test('figures that were added can be subtracted, but the longest silence stays', () => {
  const sum = sumOfFigures([first, second])
  expect(figuresWithout(sum, second)).toMatchObject({ blocks: 2, kept: 5, dropped: 1, silenceMs: 900 })
})
