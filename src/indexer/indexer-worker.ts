// The program of the indexer's worker, with its own connections to database and node. When it is stopped it finishes the transaction
// that is being written.
import type { GenesisAccount } from '../chain/rules/genesis.ts'
import { runWorker } from '../lib/thread/run-worker.ts'
import type { ConnectionFigures } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open.ts'
import { createNode } from '../upstream/node/node.ts'
import { ReorgTooDeep } from './common-ancestor.ts'
import { runIndexer } from './indexer.ts'
import type { IndexerProgress } from './progress.ts'
import { createRequestCounter, type RequestCount } from './request-counts.ts'

export type IndexerWorker = {
  readonly input: {
    readonly urls: readonly string[]
    readonly databaseUrl: string | undefined
    readonly dataDir: string
    readonly startHeight: number
    readonly balanceSamples: number
    readonly tokenReadsPerS: number
    readonly genesis: readonly GenesisAccount[] | null
  }
  readonly ready: undefined
  readonly toWorker: never
  readonly fromWorker:
    | { readonly type: 'progress'; readonly progress: IndexerProgress }
    | { readonly type: 'requests'; readonly counts: readonly RequestCount[] }
    | { readonly type: 'connections'; readonly figures: ConnectionFigures }
    | { readonly type: 'reorg too deep'; readonly firstHeight: number }
}

const REPORT_EVERY_MS = 1_000

await runWorker<IndexerWorker>(async ({ input, log, signal, post }) => {
  const database = await openDatabase({
    url: input.databaseUrl,
    dataDir: input.dataDir,
    onIdleError: (error) => log.warn({ error }, 'the database dropped an idle connection'),
  })
  const requests = createRequestCounter()
  const reporting = setInterval(() => {
    post({ type: 'requests', counts: requests.take() })
    const figures = database.connections?.()
    if (figures !== undefined) post({ type: 'connections', figures })
  }, REPORT_EVERY_MS)
  const node = createNode({ urls: input.urls, log, observe: requests.observe })
  const onProgress = (progress: IndexerProgress): void => post({ type: 'progress', progress })
  try {
    await runIndexer({ ...input, node, database, log, onProgress }, signal)
  } catch (error) {
    if (!(error instanceof ReorgTooDeep)) throw error
    post({ type: 'reorg too deep', firstHeight: error.firstHeight })
  } finally {
    clearInterval(reporting)
    node.close()
    await database.close()
  }
})
