// Which heights are stored, as ranges without gaps: usually one, two while a backfill runs below the head.
import type { Queries } from '../engine/database.ts'
import { rangesStored } from '../read/chain-state.ts'
import { type StoredRange, storedRanges } from '../schema/tables.ts'

/** Returns the ranges that these heights joined from below. */
export async function addHeights(queries: Queries, heights: readonly number[]): Promise<StoredRange[]> {
  const before = await rangesStored(queries)
  await replaceRanges(queries, merged([...before, ...heights.map((at) => ({ firstHeight: at, lastHeight: at }))]))
  const added = new Set(heights)
  return before.filter(({ firstHeight }) => added.has(firstHeight - 1))
}

export type Gap = { readonly from: number; readonly to: number }

/** Heights, ends included, that are missing from `startHeight` up to the highest stored one; lowest first. */
export function gapsIn(ranges: readonly StoredRange[], startHeight: number): Gap[] {
  const gaps: Gap[] = []
  let next = startHeight
  for (const { firstHeight, lastHeight } of ranges) {
    if (firstHeight > next) gaps.push({ from: next, to: firstHeight - 1 })
    next = Math.max(next, lastHeight + 1)
  }
  return gaps
}

/** Removes a height and all above it from the ranges. */
export async function removeHeights(queries: Queries, height: number): Promise<void> {
  const below = (await rangesStored(queries)).filter(({ firstHeight }) => firstHeight < height)
  const shortened = below.map((range) => ({ ...range, lastHeight: Math.min(range.lastHeight, height - 1) }))
  await replaceRanges(queries, shortened)
}

export function merged(ranges: readonly StoredRange[]): StoredRange[] {
  const result: StoredRange[] = []
  for (const range of ranges.toSorted((a, b) => a.firstHeight - b.firstHeight)) {
    const last = result.at(-1)
    if (last === undefined || range.firstHeight > last.lastHeight + 1) result.push(range)
    else result[result.length - 1] = { ...last, lastHeight: Math.max(last.lastHeight, range.lastHeight) }
  }
  return result
}

async function replaceRanges(queries: Queries, ranges: readonly StoredRange[]): Promise<void> {
  await queries.run('delete from stored_ranges')
  await queries.insert(
    storedRanges,
    ranges.map((range) => storedRanges.encode(range)),
  )
}
