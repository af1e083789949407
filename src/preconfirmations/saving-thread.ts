// The program of the worker that saves the ledger of preconfirmations: while SQLite is busy with a block, nobody else waits for it. When it
// is stopped it saves first what it was given before.
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { runWorker } from '../lib/thread/run-worker.ts'
import type { Database } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open.ts'
import { prunePreconfirmations, writePreconfirmations } from '../store/preconfirmations/write.ts'
import type { UnsavedBatch } from './unsaved.ts'

export type LedgerWorker = {
  readonly input: { readonly databaseUrl: string | undefined; readonly dataDir: string; readonly retentionMs: number }
  readonly ready: undefined
  readonly toWorker: { readonly type: 'save'; readonly batch: UnsavedBatch }
  readonly fromWorker: { readonly type: 'saved' } | { readonly type: 'failed'; readonly reason: string }
}

const PRUNE_EVERY_MS = 60_000
/** One round deletes some thousand rows of each kind. */
const MAX_PRUNE_ROUNDS = 20
/** Fast rather than small: a feed brings some hundred kilobytes a second at most. */
const BROTLI_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compress = promisify(brotliCompress)

await runWorker<LedgerWorker>(
  async ({ input: { databaseUrl, dataDir, retentionMs }, post, onMessage, stopRequested }) => {
    let database: Database | undefined
    const opened = async (): Promise<Database> => {
      database ??= await openDatabase({ url: databaseUrl, dataDir, onIdleError: () => {} })
      return database
    }
    const save = async (batch: UnsavedBatch): Promise<void> => {
      const flashblocks = await Promise.all(
        batch.flashblocks.map(async ({ record, text }) => ({ record, message: await compress(text, BROTLI_QUALITY) })),
      )
      await writePreconfirmations(await opened(), { ...batch, flashblocks })
      post({ type: 'saved' })
    }
    const prune = async (): Promise<void> => {
      for (let round = 0; round < MAX_PRUNE_ROUNDS; round++) {
        if ((await prunePreconfirmations(await opened(), { retentionMs, nowMs: Date.now() })) === 0) return
      }
    }
    let queue: Promise<void> = Promise.resolve()
    const enqueue = (work: () => Promise<void>): void => {
      queue = queue.then(work).catch((error: Error) => post({ type: 'failed', reason: error.message }))
    }

    const pruning = setInterval(() => enqueue(prune), PRUNE_EVERY_MS)
    onMessage(({ batch }) => enqueue(() => save(batch)))
    await stopRequested
    clearInterval(pruning)
    await queue
    await database?.close()
  },
)
