// Which flashblocks of one height were received: payloads in the order in which they began, and their indexes.

import type { Hex } from '../chain/bytes/hex.ts'
import { type Flashblock, transactionsAddedBy } from '../chain/codec/flashblock.ts'
import type { FlashblockRecord } from '../chain/preconfirmations/record.ts'

export type ReceivedFlashblocks = {
  /** Null where it was received before, or exceeds the limits. */
  add(flashblock: Flashblock, receivedMs: number): FlashblockRecord | null
  counts(): { readonly flashblocks: number; readonly missingFlashblocks: number }
}

/** More payloads of a height, or flashblocks of a payload, than any builder makes. What exceeds them is not recorded. */
export const MOST_ATTEMPTS = 1_024
export const MOST_INDEXES = 1_024

export function createReceivedFlashblocks(): ReceivedFlashblocks {
  const payloads = new Map<Hex, Set<number>>()
  return {
    add(flashblock, receivedMs) {
      const { payloadId, index, height, totals } = flashblock
      if (index >= MOST_INDEXES || (!payloads.has(payloadId) && payloads.size >= MOST_ATTEMPTS)) return null
      const indexes = payloads.get(payloadId) ?? new Set()
      if (indexes.has(index)) return null
      payloads.set(payloadId, indexes.add(index))
      return {
        height,
        index,
        attempt: [...payloads.keys()].indexOf(payloadId),
        payloadId,
        hash: totals.blockHash,
        gasUsed: Number(totals.gasUsed),
        transactionCount: transactionsAddedBy(flashblock).length,
        receivedMs,
      }
    },
    counts() {
      const all = [...payloads.values()]
      const flashblocks = all.reduce((sum, indexes) => sum + indexes.size, 0)
      const expected = all.reduce((sum, indexes) => sum + Math.max(...indexes) + 1, 0)
      return { flashblocks, missingFlashblocks: expected - flashblocks }
    },
  }
}
