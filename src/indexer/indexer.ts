// Writes the canonical chain into the store and retries after every failure. The store always holds whole blocks, so the next attempt
// begins where they end.
import { backoffMs, sleep } from '../lib/async/wait.ts'
import type { Database } from '../store/engine/database.ts'
import { BrokenChain } from '../upstream/node/failures.ts'
import { ReorgTooDeep } from './common-ancestor.ts'
import { type FollowAndBackfillOptions, followAndBackfill } from './follow-and-backfill.ts'
import type { IndexerProgress } from './progress.ts'
import { createProgressReport, type ProgressReport } from './progress-report.ts'

export type IndexerOptions = FollowAndBackfillOptions & { readonly onProgress: (progress: IndexerProgress) => void }

/** Ends with the signal. Throws `ReorgTooDeep`; after any other failure it tries again. */
export async function runIndexer(options: IndexerOptions, signal: AbortSignal): Promise<void> {
  const report = createProgressReport(options)
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await withWriterLock(options.database, report, signal, (database) =>
        followAndBackfill({ ...options, database }, report, signal, () => {
          failures = 0
          report.recovered()
        }),
      )
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ReorgTooDeep) throw error
      if (error instanceof BrokenChain) {
        options.log.info({ reason: error.message }, 'indexer: the chain changed while it was read')
        if (failures === 0) continue
      } else {
        options.log.warn({ error }, 'indexer: failed, trying again')
        report.failed(error as Error)
      }
      await sleep(backoffMs(failures, RETRY), signal).catch(() => undefined)
    }
  }
}

/** The longest wait is short, because an operator who has freed disk space wants indexing to go on soon. */
const RETRY = { firstMs: 250, mostMs: 5_000 }
const WRITER_LOCK_POLL_MS = 1_000

async function withWriterLock(
  database: Database,
  report: ProgressReport,
  signal: AbortSignal,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  let writerLock = await database.acquireWriterLock()
  while (writerLock === undefined) {
    // Waiting for the lock is not a failure, so an earlier failure is no longer reported.
    const writer = database.writer() ?? null
    report.update({ state: 'waiting for another writer', trouble: null, storage: null, writer })
    await sleep(WRITER_LOCK_POLL_MS, signal)
    writerLock = await database.acquireWriterLock()
  }
  report.update({ writer: null })
  try {
    await work(writerLock.database)
  } finally {
    await writerLock.release()
  }
}
