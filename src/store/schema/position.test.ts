import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heightOf, indexOf, positionOf, positionsWithin } from './position.ts'

const anyHeight = fc.integer({ min: 0, max: 2 ** 33 - 1 })
const anyIndex = fc.integer({ min: 0, max: 2 ** 20 - 1 })

test('a position is height times 1,048,576 plus index', () => {
  expect(positionOf(0, 0)).toBe(0)
  expect(positionOf(1, 0)).toBe(1_048_576)
  expect(positionOf(3, 7)).toBe(3_145_735)
})

test('height and index come back out of every position', () => {
  fc.assert(
    fc.property(anyHeight, anyIndex, (height, index) => {
      const pos = positionOf(height, index)
      expect([heightOf(pos), indexOf(pos)]).toEqual([height, index])
    }),
  )
})

test('positions are ordered by height first and by index then', () => {
  fc.assert(
    fc.property(anyHeight, anyIndex, anyHeight, anyIndex, (h1, i1, h2, i2) => {
      expect(positionOf(h1, i1) < positionOf(h2, i2)).toBe(h1 < h2 || (h1 === h2 && i1 < i2))
    }),
  )
})

test('the highest position is still an exact integer', () => {
  expect(positionOf(2 ** 33 - 1, 2 ** 20 - 1)).toBe(Number.MAX_SAFE_INTEGER)
})

test('a range of heights includes everything in both its ends and nothing beside them', () => {
  const { first, last } = positionsWithin({ from: 5, to: 6 })
  expect(first).toBe(positionOf(5, 0))
  expect(last).toBe(positionOf(6, 2 ** 20 - 1))
  expect(positionOf(4, 2 ** 20 - 1)).toBeLessThan(first)
  expect(positionOf(7, 0)).toBeGreaterThan(last)
})

test('an open end reaches to the end of the chain', () => {
  expect(positionsWithin({}).first).toBe(0)
  expect(positionsWithin({ from: 9 }).last).toBeGreaterThanOrEqual(positionOf(2 ** 33 - 2, 2 ** 20 - 1))
  expect(positionsWithin({ to: 0 })).toEqual({ first: 0, last: 1_048_575 })
})
