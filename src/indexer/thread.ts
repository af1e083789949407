// Runs the index as the program of a worker thread, with its own connections to database and node. Ends when told to, after the
// transaction that is under way.
import { parentPort, workerData } from 'node:worker_threads'
import { createThreadLog } from '../lib/log.ts'
import { writeCompiled } from '../lib/thread/compile-cache.ts'
import { openDatabase } from '../store/engine/open.ts'
import { createNode } from '../upstream/node/node.ts'
import { ReorgTooDeep } from './common-ancestor.ts'
import { runIndexer } from './indexer.ts'
import { createRequestCounter } from './request-counts.ts'
import type { FromThread, ThreadInput } from './worker.ts'

const TELL_REQUESTS_MS = 1_000

writeCompiled()

const { options, logLevel } = workerData as ThreadInput
const parent = parentPort!
function tell(message: FromThread) {
  return parent.postMessage(message)
}

const log = createThreadLog(logLevel, (line) => tell({ type: 'log', line }))
const stopping = new AbortController()
parent.once('message', () => stopping.abort())

const database = await openDatabase({
  url: options.databaseUrl,
  dataDir: options.dataDir,
  onIdleError: (error) => log.warn({ error }, 'the database dropped an idle connection'),
})
const requests = createRequestCounter()
const telling = setInterval(() => tell({ type: 'requests', counts: requests.take() }), TELL_REQUESTS_MS)
const node = createNode({ urls: options.urls, log, observe: requests.observe })
try {
  await runIndexer(
    { ...options, node, database, log, onProgress: (progress) => tell({ type: 'progress', progress }) },
    stopping.signal,
  )
} catch (error) {
  if (!(error instanceof ReorgTooDeep)) throw error
  tell({ type: 'reorg too deep', firstHeight: error.firstHeight })
} finally {
  clearInterval(telling)
  node.close()
  await database.close()
  parent.close()
}
