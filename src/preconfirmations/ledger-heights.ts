// What the ledger knows of each of the last heights: what was announced, which flashblocks were received, and which block is canonical.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PendingBlock } from '../pending/pending-block.ts'
import { RETAINED_BLOCKS } from '../pending/pending-chain.ts'
import { createReceivedFlashblocks, type ReceivedFlashblocks } from './flashblocks-received.ts'

export type LedgerHeight = {
  readonly height: number
  readonly received: ReceivedFlashblocks
  /** Transactions of every announced payload. */
  readonly announced: Set<Hex>
  /** As it was announced last. */
  block: PendingBlock | null
  /** Token transfers of each of its transactions. */
  readonly transferCounts: number[]
  /** The canonical block. */
  settled: { readonly hash: Hex; readonly transactions: readonly Hex[] } | null
}

export type LedgerHeights = {
  /** Null for a height that is too far from the canonical head. */
  at(height: number): LedgerHeight | null
  /** Settled heights from this one on, highest first. */
  settledFrom(height: number): readonly LedgerHeight[]
  /** A block of this height is canonical: heights far from it are removed. */
  moveTo(height: number): void
}

export function createLedgerHeights(): LedgerHeights {
  const heights = new Map<number, LedgerHeight>()
  let canonical: number | null = null
  return {
    at(height) {
      const known = heights.get(height)
      if (known !== undefined) return known
      const isNear = canonical === null ? heights.size < RETAINED_BLOCKS : isWithin(canonical, height)
      if (!isNear) return null
      const fresh: LedgerHeight = {
        height,
        received: createReceivedFlashblocks(),
        announced: new Set(),
        block: null,
        transferCounts: [],
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
  return height > canonical - RETAINED_BLOCKS && height <= canonical + RETAINED_BLOCKS
}
