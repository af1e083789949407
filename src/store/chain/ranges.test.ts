import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/support/databases.ts'
import { rangesStored } from '../read/chain-state.ts'
import type { StoredRange } from '../schema/tables.ts'
import { addHeights, gapsIn, merged, removeHeights } from './ranges.ts'

function range(firstHeight: number, lastHeight: number): StoredRange {
  return { firstHeight, lastHeight }
}

function heightsIn(ranges: readonly StoredRange[]): number[] {
  const heights = new Set<number>()
  for (const { firstHeight, lastHeight } of ranges) for (let at = firstHeight; at <= lastHeight; at++) heights.add(at)
  return [...heights].sort((a, b) => a - b)
}

const anyRanges = fc.array(
  fc.tuple(fc.nat(40), fc.nat(6)).map(([first, more]) => range(first, first + more)),
  { maxLength: 12 },
)

test('ranges that touch or overlap become one, and others stay apart', () => {
  expect(merged([range(5, 6), range(1, 2), range(3, 3)])).toEqual([range(1, 3), range(5, 6)])
  expect(merged([range(1, 9), range(2, 3)])).toEqual([range(1, 9)])
  expect(merged([])).toEqual([])
})

test('merging keeps every height, adds none, and leaves a hole between any two ranges', () => {
  fc.assert(
    fc.property(anyRanges, (ranges) => {
      const result = merged(ranges)
      expect(heightsIn(result)).toEqual(heightsIn(ranges))
      for (const [at, { firstHeight }] of result.entries()) {
        if (at > 0) expect(firstHeight).toBeGreaterThan(result[at - 1]!.lastHeight + 1)
      }
    }),
  )
})

test('gaps are what is missing from the start up to the highest stored height', () => {
  expect(gapsIn([range(5, 6), range(9, 9)], 2)).toEqual([
    { from: 2, to: 4 },
    { from: 7, to: 8 },
  ])
  expect(gapsIn([range(0, 9)], 3)).toEqual([])
  expect(gapsIn([range(0, 2), range(8, 9)], 5)).toEqual([{ from: 5, to: 7 }])
  expect(gapsIn([], 0)).toEqual([])
})

test('gaps and ranges together are every height from the start to the highest', () => {
  fc.assert(
    fc.property(anyRanges, fc.nat(20), (ranges, start) => {
      const sorted = merged(ranges)
      const gaps = gapsIn(sorted, start).map(({ from, to }) => range(from, to))
      const top = sorted.at(-1)?.lastHeight ?? -1
      const stored = heightsIn(sorted).filter((height) => height >= start)
      expect([...heightsIn(gaps), ...stored].sort((a, b) => a - b)).toEqual(
        Array.from({ length: Math.max(0, top - start + 1) }, (_, i) => start + i),
      )
    }),
  )
})

describe.each(databases)('stored ranges on $engine', ({ open }) => {
  test('heights join ranges from above, from below and in between, and a reorg removes from a height on', async () => {
    const database = await open()
    expect(await addHeights(database, [7, 8])).toEqual([])
    expect(await addHeights(database, [2])).toEqual([])
    expect(await rangesStored(database)).toEqual([range(2, 2), range(7, 8)])
    // Height 6 is just below the range that begins at 7.
    expect(await addHeights(database, [6])).toEqual([range(7, 8)])
    expect(await addHeights(database, [9, 3, 4, 5])).toEqual([range(6, 8)])
    expect(await rangesStored(database)).toEqual([range(2, 9)])
    await removeHeights(database, 5)
    expect(await rangesStored(database)).toEqual([range(2, 4)])
    await removeHeights(database, 2)
    expect(await rangesStored(database)).toEqual([])
    await database.close()
  })
})
