// The indexer as a part of a server: started in its own thread, watched through what it reports.
import { readFileSync } from 'node:fs'
import { type GenesisAccount, genesisAccounts } from '../chain/rules/genesis-alloc.ts'
import { type IndexerThread, startIndexerThread } from '../indexer/indexer-thread.ts'
import { emptyProgress, type IndexerProgress, progressBar } from '../indexer/progress.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import { ConfigError } from '../lib/config/config.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { addIngestMetrics } from './indexer-metrics.ts'

export type IngestPartOptions = {
  readonly urls: readonly string[]
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly startBlock: number
  readonly balanceSamples: number
  /** Path of a genesis file, or its accounts. */
  readonly genesis: string | readonly GenesisAccount[] | undefined
  readonly metrics: Metrics
  readonly log: Log
  readonly lifecycle: Lifecycle
  /** The index cannot go on: the message says why and what to do. */
  readonly fail: (cause: Error) => void
}

export type IngestPart = { progress(): IndexerProgress }

/** The database must be migrated. */
export async function startIngestPart(options: IngestPartOptions): Promise<IngestPart> {
  const { metrics, log, lifecycle, fail, startBlock, genesis, ...rest } = options
  const accounts = typeof genesis === 'string' ? accountsIn(genesis) : (genesis ?? null)
  let progress: IndexerProgress = { ...emptyProgress, start: startBlock }
  const { requests } = addIngestMetrics(metrics, () => progress)
  let worker: IndexerThread | undefined
  const bar = process.stderr.isTTY ? createBar((text) => process.stderr.write(text)) : () => {}
  await lifecycle.start({
    name: 'ingest',
    start: () => {
      worker = startIndexerThread(
        { ...rest, startHeight: startBlock, genesis: accounts },
        {
          log,
          onProgress: (latest) => {
            progress = latest
            bar(latest)
          },
          onRequests: requests,
          onDeath: fail,
        },
      )
    },
    stop: () => worker?.stop(),
  })
  return { progress: () => progress }
}

function accountsIn(file: string): GenesisAccount[] {
  try {
    return genesisAccounts(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new ConfigError(`GENESIS: ${file} cannot be read as a genesis file: ${(cause as Error).message}`, { cause })
  }
}

const BAR_EVERY_MS = 200
const CLEAR_LINE = '\r\u001b[2K'

/** Draws over itself, and clears itself away once there is nothing to wait for. */
function createBar(write: (text: string) => void): (progress: IndexerProgress) => void {
  let drawnMs = 0
  return (progress) => {
    const text = progressBar(progress)
    const nowMs = Date.now()
    if (text !== '' && nowMs - drawnMs >= BAR_EVERY_MS) {
      write(CLEAR_LINE + text)
      drawnMs = nowMs
    } else if (text === '' && drawnMs > 0) {
      write(CLEAR_LINE)
      drawnMs = 0
    }
  }
}
