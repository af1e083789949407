// When the node's tags passed a height. A tag moves in jumps, so a few jumps date many blocks.
import type { TagAdvance } from '../chain/preconfirmations/record.ts'
import type { TagHeights } from './transaction-record.ts'

export type TagTimes = {
  take(advance: TagAdvance): void
  heights(): TagHeights
  /** Null where the tag is below, or passed before it was first read. */
  passedMs(tag: TagAdvance['tag'], height: number): number | null
}

/** Jumps that are stored for each tag; a day of blocks where it jumps by a hundred. */
const MOST_JUMPS = 1_000

export function createTagTimes(): TagTimes {
  const jumps: Record<TagAdvance['tag'], TagAdvance[]> = { safe: [], finalized: [] }
  const heightOf = (tag: TagAdvance['tag']) => jumps[tag].at(-1)?.upTo ?? null
  return {
    take(advance) {
      const known = jumps[advance.tag]
      known.push(advance)
      if (known.length > MOST_JUMPS) known.shift()
    },
    heights: () => ({ safe: heightOf('safe'), finalized: heightOf('finalized') }),
    passedMs: (tag, height) => jumps[tag].find(({ above, upTo }) => height > above && height <= upTo)?.atMs ?? null,
  }
}

/** The advance that a reading of the tags shows; null where nothing moved. A lower height comes from a node that lags. */
export function advanceOf(
  tag: TagAdvance['tag'],
  before: number | null,
  { height, atMs }: { readonly height: number | null; readonly atMs: number },
): TagAdvance | null {
  if (height === null || (before !== null && height <= before)) return null
  return { tag, above: before ?? height, upTo: height, atMs }
}
