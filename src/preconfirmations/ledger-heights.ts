// What is remembered of each of the last heights: what was promised, what was heard, and which block came.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PendingBlock } from '../pending/pending-block.ts'
import { REMEMBERED_BLOCKS } from '../pending/pending-chain.ts'
import { createFlashblocksHeard, type FlashblocksHeard } from './flashblocks-received.ts'

export type HeightAccount = {
  readonly height: number
  readonly heard: FlashblocksHeard
  /** Transactions of every payload that was promised. */
  readonly promised: Set<Hex>
  /** As it was promised last. */
  block: PendingBlock | null
  /** The canonical block. */
  settled: { readonly hash: Hex; readonly transactions: readonly Hex[] } | null
}

export type Heights = {
  /** Null for a height that is too far from the canonical chain to be remembered. */
  at(height: number): HeightAccount | null
  /** Settled heights from this one on, highest first. */
  settledFrom(height: number): readonly HeightAccount[]
  /** A block of this height is canonical: heights long before it are forgotten. */
  moveTo(height: number): void
}

export function createHeights(): Heights {
  const heights = new Map<number, HeightAccount>()
  let canonical: number | null = null
  return {
    at(height) {
      const known = heights.get(height)
      if (known !== undefined) return known
      const isNear = canonical === null ? heights.size < REMEMBERED_BLOCKS : isWithin(canonical, height)
      if (!isNear) return null
      const fresh: HeightAccount = {
        height,
        heard: createFlashblocksHeard(),
        promised: new Set(),
        block: null,
        settled: null,
      }
      heights.set(height, fresh)
      return fresh
    },
    settledFrom: (height) =>
      [...heights.values()]
        .filter((each) => each.height >= height && each.settled !== null)
        .sort((a, b) => b.height - a.height),
    moveTo(height) {
      canonical = height
      for (const known of heights.keys()) if (!isWithin(height, known)) heights.delete(known)
    },
  }
}

function isWithin(canonical: number, height: number): boolean {
  return height > canonical - REMEMBERED_BLOCKS && height <= canonical + REMEMBERED_BLOCKS
}
