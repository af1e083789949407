// A copy of the ledger in another thread, built from the ledger's events alone, so that it answers without asking.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PreconfirmationFigures } from '../chain/preconfirmations/figures.ts'
import type { BlockRecord } from '../chain/preconfirmations/record.ts'
import type { LedgerEvent } from './ledger.ts'
import { createPendingList } from './pending-list.ts'
import type { PendingTransactionRow } from './pending-row.ts'
import { createRollingFigures } from './rolling-figures.ts'
import { createTagTimes } from './tag-times.ts'
import { heightOf, type TagHeights } from './transaction-record.ts'
import { createTransactionRecords, type StagedRecord, stagesFrom } from './transaction-records.ts'

export type LedgerMirror = {
  take(events: readonly LedgerEvent[]): void
  /** Called with every change, for live pages; returns a function that ends it. */
  on(listener: (events: readonly LedgerEvent[]) => void): () => void
  /** Null for a transaction that is not in memory. */
  stagesOf(hash: Hex): StagedRecord | null
  /** One of the last blocks. */
  block(height: number): BlockRecord | null
  tags(): TagHeights
  /** Preconfirmed transactions in a block above `height` (that of the index) that were not dropped; newest first. */
  pendingAbove(height: number): readonly PendingTransactionRow[]
  /** Those of them that name the address, themselves or in a token transfer, as a party or as the token. */
  pendingOf(address: Hex, height: number): readonly PendingTransactionRow[]
  /** The same for one transaction; null where it is not preconfirmed above `height`. */
  pendingAt(hash: Hex, height: number): PendingTransactionRow | null
  /** Of the last hours, a day at most, since this process started. */
  figures(spanMs: number, nowMs: number): PreconfirmationFigures
}

const MOST_BLOCKS = 256

export function createLedgerMirror(): LedgerMirror {
  const records = createTransactionRecords()
  const tagTimes = createTagTimes()
  const pending = createPendingList()
  const rolling = createRollingFigures()
  const blocks = new Map<number, BlockRecord>()
  const listeners = new Set<(events: readonly LedgerEvent[]) => void>()

  const takeOne = (event: LedgerEvent): void => {
    switch (event.type) {
      case 'transaction':
        records.set(event.record)
        break
      case 'pending':
        pending.take(event.rows)
        break
      case 'flashblock':
      case 'sent':
        break
      case 'block':
        blocks.delete(event.record.height)
        blocks.set(event.record.height, event.record)
        if (blocks.size > MOST_BLOCKS) blocks.delete(blocks.keys().next().value!)
        pending.moveTo(event.record.height)
        rolling.take(event.record)
        break
      case 'tag':
        tagTimes.take(event.advance)
        break
    }
  }

  const isPendingAbove = ({ hash, block }: PendingTransactionRow, height: number): boolean => {
    const record = records.get(hash)
    return record?.droppedMs === null && block.height > height && heightOf(record) === block.height
  }

  return {
    take(events) {
      for (const event of events) takeOne(event)
      for (const listener of listeners) listener(events)
    },
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stagesOf(hash) {
      const record = records.get(hash)
      return record === undefined ? null : stagesFrom(record, tagTimes)
    },
    block: (height) => blocks.get(height) ?? null,
    tags: tagTimes.heights,
    pendingAbove: (height) => pending.above(height).filter((row) => isPendingAbove(row, height)),
    pendingOf: (address, height) => pending.of(address, height).filter((row) => isPendingAbove(row, height)),
    pendingAt(hash, height) {
      const row = pending.get(hash)
      return row !== undefined && isPendingAbove(row, height) ? row : null
    },
    figures: rolling.over,
  }
}
