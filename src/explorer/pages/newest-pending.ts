// The newest transactions that flashblocks promised and the index does not have yet, for lists of the newest.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingTransactionRow } from '../../preconfirmations/pending-row.ts'
import { heightOf } from '../../preconfirmations/transaction-record.ts'
import { positionOf } from '../../store/schema/position.ts'
import { recordsOf } from '../lists/records-of.ts'
import { latestTransactionRecord } from '../records/transaction-record.ts'
import { chainNow, type ExplorerOptions } from '../state/chain-now.ts'

type TransactionRecord = ReturnType<typeof latestTransactionRecord>

export type NewestPending = {
  /** Newest first. */
  preconfirmedNewest: () => Promise<TransactionRecord[]>
  /** Of these as far as they are still to come, newest first; what a block came without says that it was dropped. */
  preconfirmed: (hashes: readonly string[]) => Promise<TransactionRecord[]>
}

/** More than a page of a list shows. */
const MOST_ROWS = 200
const MOST_SHOWN = 50

export function createNewestPending(options: ExplorerOptions): NewestPending {
  const { ledger } = options
  const kept = new Map<string, PendingTransactionRow>()
  ledger?.on((events) => {
    for (const event of events) {
      if (event.type !== 'pending') continue
      for (const row of event.rows) {
        kept.delete(row.hash)
        kept.set(row.hash, row)
        if (kept.size > MOST_ROWS) kept.delete(kept.keys().next().value!)
      }
    }
  })

  const recordOf = (hash: Hex) => ledger?.stagesOf(hash)?.record
  const isDropped = (hash: Hex): boolean => (recordOf(hash)?.droppedMs ?? null) !== null
  /** A promise counts until the index has the block that it was made for. */
  const isAhead = ({ hash, block }: PendingTransactionRow, latest: number): boolean => {
    const record = recordOf(hash)
    return record !== undefined && block.height > latest && heightOf(record) === block.height
  }

  const shown = async (isWanted: (row: PendingTransactionRow, latest: number) => boolean) => {
    const { now } = await chainNow(options)
    const rows = [...kept.values()]
      .filter((row) => isWanted(row, now.heads.latest))
      .sort((a, b) => b.block.height - a.block.height || b.position - a.position)
      .slice(0, MOST_SHOWN)
      .map(({ position, flashblockIndex: _, ...row }) => ({
        ...row,
        pos: positionOf(row.block.height, position),
        error: null,
        isPending: true as const,
      }))
    const records = await recordsOf(now, rows, latestTransactionRecord)
    return records.map((record, i) => (isDropped(rows[i]!.hash) ? { ...record, stage: 'dropped' } : record))
  }

  return {
    preconfirmedNewest: () => shown((row, latest) => isAhead(row, latest) && !isDropped(row.hash)),
    preconfirmed: (hashes) => {
      const wanted = new Set(hashes)
      return shown((row, latest) => wanted.has(row.hash) && (isDropped(row.hash) || isAhead(row, latest)))
    },
  }
}
