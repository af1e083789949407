// Indexes a chain in this thread, up to its head or for as long as a test looks on.
import { type IndexerOptions, runIndexer } from '../../src/indexer/indexer.ts'
import { emptyProgress, type IndexerProgress } from '../../src/indexer/progress.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { createNode, type NodeOptions } from '../../src/upstream/node/node.ts'

export type Indexer = {
  progress(): IndexerProgress
  /** Until the tip of the index is this block; a long chain takes longer than two minutes on a slow machine. */
  reaches(hash: string, withinMs?: number): Promise<void>
  /** Throws what the index threw. */
  stop(): Promise<void>
  /** Settles when the index ends by itself. */
  readonly ended: Promise<void>
}

const TIMEOUT_MS = 120_000
const LOOK_EVERY_MS = 20

export function startIndexer(
  { url, database, ...nodeOptions }: { url: string; database: Database } & Partial<NodeOptions>,
  options: Partial<IndexerOptions> = {},
): Indexer {
  const log = createLog({ level: 'error', pretty: false })
  const node = createNode({ urls: [url], log, pollMs: 50, ...nodeOptions })
  const stopping = new AbortController()
  let progress = emptyProgress
  const running = runIndexer(
    {
      node,
      database,
      log,
      startHeight: 0,
      balanceSamples: 2,
      tokenReadsPerS: 0,
      genesis: null,
      onProgress: (latest) => {
        progress = latest
      },
      ...options,
    },
    stopping.signal,
  ).finally(() => node.close())
  running.catch(() => undefined)
  return {
    progress: () => progress,
    ended: running,
    async reaches(hash, withinMs = TIMEOUT_MS) {
      const deadline = Date.now() + withinMs
      const isThere = async () =>
        (
          await database.all<{ hash: string }>(
            'select lower(hex(hash)) as hash from blocks order by height desc limit 1',
          )
        )[0]?.hash === hash.slice(2)
      while (!(await isThere()) || progress.state !== 'following') {
        if (Date.now() > deadline) throw new Error(`the index does not reach ${hash}: ${JSON.stringify(progress)}`)
        await Promise.race([running, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))])
      }
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
