// The records of the transactions that changed last: in the thread of the ledger and in the thread of its mirror.
import type { Hex } from '../chain/bytes/hex.ts'
import type { TransactionRecord } from '../chain/preconfirmations/record.ts'
import type { TagTimes } from './tag-times.ts'
import { type Stage, stageOf } from './transaction-record.ts'

export type TransactionRecords = Pick<ReadonlyMap<Hex, TransactionRecord>, 'get' | 'size'> & {
  /** False where this very record is stored already. */
  set(record: TransactionRecord): boolean
}

export type StagedRecord = {
  readonly record: TransactionRecord
  readonly stage: Stage
  /** When the tag passed its block; null where it did not, or was not observed. */
  readonly safeMs: number | null
  readonly finalizedMs: number | null
}

/** Ten minutes of a hundred transactions a second; some thirty megabytes. */
const MOST_RECORDS = 60_000

export function createTransactionRecords(most = MOST_RECORDS): TransactionRecords {
  const records = new Map<Hex, TransactionRecord>()
  return {
    get: (hash) => records.get(hash),
    get size() {
      return records.size
    },
    set(record) {
      if (records.get(record.hash) === record) return false
      // A Map is ordered by insertion: the record that changed last goes last.
      records.delete(record.hash)
      records.set(record.hash, record)
      if (records.size > most) records.delete(records.keys().next().value!)
      return true
    },
  }
}

export function stagesFrom(record: TransactionRecord, tagTimes: TagTimes): StagedRecord {
  const height = record.inclusion?.height ?? null
  const passedMs = (tag: 'safe' | 'finalized') => (height === null ? null : tagTimes.passedMs(tag, height))
  return {
    record,
    stage: stageOf(record, tagTimes.heights()),
    safeMs: passedMs('safe'),
    finalizedMs: passedMs('finalized'),
  }
}
