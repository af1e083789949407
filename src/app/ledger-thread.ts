// Saves the account of preconfirmations, as the program of a worker thread: a SQLite that is busy with a block holds up nobody here.
// Ends when told to, after what it was given before.
import { promisify } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliCompress, constants } from 'node:zlib'
import { writeCompiled } from '../lib/thread/compile-cache.ts'
import type { UnsavedBatch } from '../preconfirmations/unsaved.ts'
import type { Database } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open.ts'
import { prunePreconfirmations, writePreconfirmations } from '../store/preconfirmations/write.ts'

export type AccountThreadOptions = {
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly keepMs: number
}

export type ToAccountThread = { readonly type: 'save'; readonly batch: UnsavedBatch } | { readonly type: 'stop' }
export type FromAccountThread = { readonly type: 'saved' } | { readonly type: 'failed'; readonly reason: string }

const PRUNE_EVERY_MS = 60_000
/** A round takes some thousand rows of each kind. */
const ROUNDS_AT_ONCE = 20

writeCompiled()
const { databaseUrl, dataDir, keepMs } = workerData as AccountThreadOptions
const parent = parentPort!
function tell(message: FromAccountThread) {
  return parent.postMessage(message)
}
const compress = promisify(brotliCompress)

let database: Database | undefined
async function opened(): Promise<Database> {
  database ??= await openDatabase({ url: databaseUrl, dataDir, onIdleError: () => {} })
  return database
}

/** Fast rather than small: a feed brings some hundred kilobytes a second at most. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

async function save({ flashblocks, ...rest }: UnsavedBatch): Promise<void> {
  const messages = await Promise.all(
    flashblocks.map(async ({ record, text }) => ({ record, message: await compress(text, QUALITY) })),
  )
  await writePreconfirmations(await opened(), { ...rest, flashblocks: messages })
}

async function prune(): Promise<void> {
  for (let round = 0; round < ROUNDS_AT_ONCE; round++) {
    if ((await prunePreconfirmations(await opened(), { keepMs, nowMs: Date.now() })) === 0) return
  }
}

let working: Promise<void> = Promise.resolve()
/** One after the other; what fails is told, and the next goes on. */
function inTurn(work: () => Promise<void>, onDone: () => void): void {
  working = working.then(work).then(onDone, (error: Error) => tell({ type: 'failed', reason: error.message }))
}

const pruning = setInterval(() => inTurn(prune, () => {}), PRUNE_EVERY_MS)
parent.on('message', (message: ToAccountThread) => {
  if (message.type === 'save') {
    inTurn(
      () => save(message.batch),
      () => tell({ type: 'saved' }),
    )
    return
  }
  clearInterval(pruning)
  void working.then(async () => {
    await database?.close()
    parent.close()
  })
})
