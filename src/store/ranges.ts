// Which heights are stored, as ranges without gaps: usually one, two while a backfill runs below the head.
import type { Queries } from './database.ts'
import { rangesStored } from './read/head.ts'
import { type StoredRange, storedRanges } from './tables.ts'

export const addHeights = async (queries: Queries, heights: readonly number[]): Promise<void> => {
  const before = await rangesStored(queries)
  await replaceRanges(queries, merged([...before, ...heights.map((at) => ({ firstHeight: at, lastHeight: at }))]))
}

/** Forgets a height and everything above it. */
export const cutHeights = async (queries: Queries, height: number): Promise<void> => {
  const below = (await rangesStored(queries)).filter(({ firstHeight }) => firstHeight < height)
  const cut = below.map((range) => ({ ...range, lastHeight: Math.min(range.lastHeight, height - 1) }))
  await replaceRanges(queries, cut)
}

export const merged = (ranges: readonly StoredRange[]): StoredRange[] => {
  const result: StoredRange[] = []
  for (const range of ranges.toSorted((a, b) => a.firstHeight - b.firstHeight)) {
    const last = result.at(-1)
    if (last === undefined || range.firstHeight > last.lastHeight + 1) result.push(range)
    else result[result.length - 1] = { ...last, lastHeight: Math.max(last.lastHeight, range.lastHeight) }
  }
  return result
}

const replaceRanges = async (queries: Queries, ranges: readonly StoredRange[]): Promise<void> => {
  await queries.run('delete from stored_ranges')
  await queries.insert(
    storedRanges,
    ranges.map((range) => storedRanges.encode(range)),
  )
}
