// The newest preconfirmed transactions that the index does not have yet, for lists of the newest transactions.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingTransactionRow } from '../../preconfirmations/pending-row.ts'
import { heightOf } from '../../preconfirmations/transaction-record.ts'
import { positionOf } from '../../store/schema/position.ts'
import { recordsOf } from '../lists/records-of.ts'
import type { latestTransactionRecord } from '../records/transaction-record.ts'
import { type ExplorerOptions, openChain } from '../state/chain-context.ts'

type TransactionRecord = ReturnType<typeof latestTransactionRecord>

export type NewestPending = {
  /** Those of these that are not included yet, newest first; one that its block came without has the stage `dropped`. */
  preconfirmed: (hashes: readonly string[]) => Promise<TransactionRecord[]>
}

/** More than a page of a list shows. */
const MOST_ROWS = 200
const MOST_SHOWN = 50

export function createNewestPending(options: ExplorerOptions): NewestPending {
  const { ledger } = options
  const newest = new Map<string, PendingTransactionRow>()
  ledger?.on((events) => {
    for (const event of events) {
      if (event.type !== 'pending') continue
      for (const row of event.rows) {
        newest.delete(row.hash)
        newest.set(row.hash, row)
        if (newest.size > MOST_ROWS) newest.delete(newest.keys().next().value!)
      }
    }
  })

  const recordOf = (hash: Hex) => ledger?.stagesOf(hash)?.record
  const isDropped = (hash: Hex): boolean => (recordOf(hash)?.droppedMs ?? null) !== null
  /** A preconfirmed transaction is shown until the index has its block. */
  const isAhead = ({ hash, block }: PendingTransactionRow, latest: number): boolean => {
    const record = recordOf(hash)
    return record !== undefined && block.height > latest && heightOf(record) === block.height
  }

  const shown = async (isWanted: (row: PendingTransactionRow, latest: number) => boolean) => {
    const { chain } = await openChain(options)
    const rows = [...newest.values()]
      .filter((row) => isWanted(row, chain.heads.latest))
      .sort((a, b) => b.block.height - a.block.height || b.position - a.position)
      .slice(0, MOST_SHOWN)
      .map(({ position, flashblockIndex: _, ...row }) => ({
        ...row,
        pos: positionOf(row.block.height, position),
        error: null,
        pending: 'preconfirmed' as const,
      }))
    const { records } = await recordsOf(chain, rows, 'latestTransaction')
    return records.map((record, i) => (isDropped(rows[i]!.hash) ? { ...record, stage: 'dropped' } : record))
  }

  return {
    preconfirmed: (hashes) => {
      const wanted = new Set(hashes)
      return shown((row, latest) => wanted.has(row.hash) && (isDropped(row.hash) || isAhead(row, latest)))
    },
  }
}
