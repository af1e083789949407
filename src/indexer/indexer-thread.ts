// The indexer in a thread of its own: a commit takes tens of milliseconds, and no request should wait for that.
import type { Log } from '../lib/log.ts'
import { startWorker } from '../lib/thread/start-worker.ts'
import type { ConnectionFigures } from '../store/engine/database.ts'
import { ReorgTooDeep } from './common-ancestor.ts'
import type { IndexerWorker } from './indexer-worker.ts'
import type { IndexerProgress } from './progress.ts'
import type { RequestCount } from './request-counts.ts'

export type IndexerListener = {
  readonly log: Log
  readonly onProgress: (progress: IndexerProgress) => void
  /** Requests to the node since the last report. */
  readonly onRequests: (counts: readonly RequestCount[]) => void
  /** Its connections to the database, now and then. */
  readonly onConnections: (figures: ConnectionFigures) => void
  /** The thread ended though nobody stopped it. */
  readonly onDeath: (cause: Error) => void
}

export type IndexerThread = { stop(): Promise<void> }

export function startIndexerThread(input: IndexerWorker['input'], listener: IndexerListener): IndexerThread {
  // A class does not survive the way between threads, so the worker reports this error as a message before it ends.
  let reorgTooDeep: ReorgTooDeep | undefined
  const worker = startWorker<IndexerWorker>({
    name: 'indexer',
    file: new URL('./indexer-worker.ts', import.meta.url),
    input,
    log: listener.log,
    onMessage: (message) => {
      switch (message.type) {
        case 'progress':
          listener.onProgress(message.progress)
          break
        case 'requests':
          listener.onRequests(message.counts)
          break
        case 'connections':
          listener.onConnections(message.figures)
          break
        case 'reorg too deep':
          reorgTooDeep = new ReorgTooDeep(message.firstHeight)
          break
      }
    },
    onDeath: (cause) => listener.onDeath(reorgTooDeep ?? cause),
  })
  return {
    async stop() {
      await worker.stop()
    },
  }
}
