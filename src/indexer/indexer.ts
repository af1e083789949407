// Brings the canonical chain into the store and keeps it there. Whatever goes wrong, the store holds whole blocks, and the next attempt
// begins where they end.
import type { GenesisAccount } from '../chain/rules/genesis.ts'
import { backoffMs, sleep } from '../lib/async/wait.ts'
import type { Log } from '../lib/log.ts'
import type { Database } from '../store/engine/database.ts'
import { BrokenChain } from '../upstream/node/failures.ts'
import type { Node } from '../upstream/node/node.ts'
import { ReorgTooDeep } from './common-ancestor.ts'
import { followAndBackfill } from './follow-and-backfill.ts'
import type { IndexerProgress } from './progress.ts'
import { createProgressReport, type ProgressReport } from './progress-report.ts'

export type IndexerOptions = {
  readonly node: Node
  readonly database: Database
  readonly log: Log
  /** First block of the index; lowered later, what lies below is filled in. */
  readonly startHeight: number
  /** Balances compared with the node at every block; 0 compares none. */
  readonly balanceSamples: number
  /** Who held what before block 0; null asks the node at the first sight of each address. */
  readonly genesis: readonly GenesisAccount[] | null
  /** Further behind than this, the head is followed at once and what lies between is filled beside it. */
  readonly mostBehind?: number
  readonly onProgress: (progress: IndexerProgress) => void
}

/** Ends with the signal. Throws `ReorgTooDeep`; everything else is tried again. */
export async function runIndexer(options: IndexerOptions, signal: AbortSignal): Promise<void> {
  const report = createProgressReport(options)
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await asOnlyWriter(options.database, report, signal, (database) =>
        followAndBackfill({ ...options, database }, report, signal, () => {
          failures = 0
          report.recovered()
        }),
      )
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ReorgTooDeep) throw error
      if (error instanceof BrokenChain) {
        options.log.info({ reason: error.message }, 'the chain changed while it was read')
        if (failures === 0) continue
      } else {
        options.log.warn({ error }, 'indexing is interrupted and tried again')
        report.failed(error as Error)
      }
      await sleep(backoffMs(failures, RETRY), signal).catch(() => undefined)
    }
  }
}

/** Whoever made room on a disk does not want to wait long. */
const RETRY = { firstMs: 250, mostMs: 5_000 }
const WRITER_POLL_MS = 1_000

async function asOnlyWriter(
  database: Database,
  report: ProgressReport,
  signal: AbortSignal,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  let writerLock = await database.acquireWriterLock()
  while (writerLock === undefined) {
    // To wait one's turn is no trouble, whatever was before.
    report.update({ state: 'waiting for another writer', trouble: null })
    await sleep(WRITER_POLL_MS, signal)
    writerLock = await database.acquireWriterLock()
  }
  try {
    await work(writerLock.database)
  } finally {
    await writerLock.release()
  }
}
