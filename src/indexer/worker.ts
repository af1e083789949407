// The index in a thread of its own: a commit takes tens of milliseconds, which no request should wait for.
import { Worker } from 'node:worker_threads'
import type { GenesisAccount } from '../chain/rules/genesis-alloc.ts'
import { type Log, type LogLevel, logLine } from '../lib/log.ts'
import { ReorgTooDeep } from './common-ancestor.ts'
import type { IndexerProgress } from './progress.ts'
import type { RequestCount } from './request-counts.ts'

export type IngestWorkerOptions = {
  readonly urls: readonly string[]
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly startHeight: number
  readonly balanceSamples: number
  readonly genesis: readonly GenesisAccount[] | null
}

export type ThreadInput = { readonly options: IngestWorkerOptions; readonly logLevel: LogLevel }

export type FromThread =
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'progress'; readonly progress: IndexerProgress }
  | { readonly type: 'requests'; readonly counts: readonly RequestCount[] }
  | { readonly type: 'reorg too deep'; readonly firstHeight: number }

export type IngestWorker = { stop(): Promise<void> }

export type IngestListener = {
  readonly log: Log
  readonly onProgress: (progress: IndexerProgress) => void
  /** Calls to the node since it was told last. */
  readonly onRequests: (counts: readonly RequestCount[]) => void
  /** The thread ended without having been told to. */
  readonly onDeath: (cause: Error) => void
}

export function startIngestWorker(
  options: IngestWorkerOptions,
  { log, onProgress, onRequests, onDeath }: IngestListener,
): IngestWorker {
  const workerData: ThreadInput = { options, logLevel: log.level as LogLevel }
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { name: 'ingest', workerData })
  let cause: Error | undefined
  let isStopping = false
  worker.on('error', (error) => {
    cause = error as Error
  })
  worker.on('message', (message: FromThread) => {
    switch (message.type) {
      case 'log':
        logLine(log, message.line)
        break
      case 'progress':
        onProgress(message.progress)
        break
      case 'requests':
        onRequests(message.counts)
        break
      case 'reorg too deep':
        cause = new ReorgTooDeep(message.firstHeight)
        break
    }
  })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  worker.on('exit', (code) => {
    if (!isStopping) onDeath(cause ?? new Error(`The indexer ended with code ${code}`))
    end()
  })
  return {
    async stop() {
      isStopping = true
      worker.postMessage('stop')
      await ended
    },
  }
}
