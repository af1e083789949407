// The indexer as a part of a server: it runs in its own thread, and its progress is shown on the terminal, in /status and in /metrics.
import { readFileSync } from 'node:fs'
import { type GenesisAccount, genesisAccounts } from '../chain/rules/genesis.ts'
import { type IndexerThread, startIndexerThread } from '../indexer/indexer-thread.ts'
import { blockCount, emptyProgress, type IndexerProgress, progressBar } from '../indexer/progress.ts'
import type { RequestCount } from '../indexer/request-counts.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import { ConfigError } from '../lib/config/config.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { ServerContext } from './context.ts'
import type { DatabaseWatch } from './database-watch.ts'

export type Indexer = { progress(): IndexerProgress }

/** The database must be migrated. `genesis` are the balances before the first block, where they are known without a file. */
export function indexerPart(
  { config, metrics, log, fail }: ServerContext,
  options: { readonly genesis: readonly GenesisAccount[] | undefined; readonly databaseWatch: DatabaseWatch },
): Part<Indexer & IndexerThread> {
  return {
    name: 'indexer',
    start: () => {
      let progress: IndexerProgress = { ...emptyProgress, start: config.START_BLOCK }
      const onRequests = addIndexerMetrics(metrics, () => progress)
      const drawBar = process.stderr.isTTY ? createBar((text) => process.stderr.write(text)) : () => {}
      const thread = startIndexerThread(
        {
          urls: config.RPC_URL!,
          databaseUrl: config.DATABASE_URL,
          dataDir: config.DATA_DIR,
          startHeight: config.START_BLOCK,
          balanceSamples: config.BALANCE_SAMPLES,
          tokenReadsPerS: config.TOKEN_READS_PER_S,
          genesis: config.GENESIS === undefined ? (options.genesis ?? null) : accountsIn(config.GENESIS),
        },
        {
          log,
          onProgress: (latest) => {
            progress = latest
            drawBar(latest)
          },
          onRequests,
          onConnections: (figures) => options.databaseWatch.report('indexer', figures),
          onDeath: fail,
        },
      )
      return { progress: () => progress, stop: thread.stop }
    },
    stop: (indexer) => indexer.stop(),
  }
}

function accountsIn(file: string): GenesisAccount[] {
  try {
    return genesisAccounts(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new ConfigError(`GENESIS: ${file} cannot be read as a genesis file: ${(cause as Error).message}`, { cause })
  }
}

const DRAW_EVERY_MS = 200
const CLEAR_LINE = '\r\u001b[2K'

/** A progress bar that is drawn over the last one, and cleared when nothing is left to wait for. */
function createBar(write: (text: string) => void): (progress: IndexerProgress) => void {
  let drawnMs = 0
  return (progress) => {
    const text = progressBar(progress)
    const nowMs = performance.now()
    if (text !== '' && nowMs - drawnMs >= DRAW_EVERY_MS) {
      write(CLEAR_LINE + text)
      drawnMs = nowMs
    } else if (text === '' && drawnMs > 0) {
      write(CLEAR_LINE)
      drawnMs = 0
    }
  }
}

function lagS({ headMs, indexedMs }: IndexerProgress): number {
  return headMs === null || indexedMs === null ? Number.NaN : Math.max(0, headMs - indexedMs) / 1000
}

function blocksToDerive({ derivation: { from, to } }: IndexerProgress): number {
  return from === null || to === null ? 0 : Math.max(0, to - from + 1)
}

const REQUEST_LABELS = ['url', 'method', 'outcome'] as const

/** Gives the function that adds to the counts of requests. */
function addIndexerMetrics(metrics: Metrics, progress: () => IndexerProgress) {
  metrics.gauge('firstlight_index_height', 'Highest block in the index', () => progress().indexed ?? -1)
  metrics.gauge('firstlight_node_height', 'Highest block of the node', () => progress().head ?? -1)
  metrics.gauge('firstlight_index_missing_blocks', 'Blocks that the node has and the index does not have yet', () =>
    blockCount(progress().missing),
  )
  metrics.gauge(
    'firstlight_index_lag_seconds',
    'Time between the block that was written last and the node’s head, by the times of the blocks; NaN while not known',
    () => lagS(progress()),
  )
  metrics.gauge(
    'firstlight_index_blocks_per_second',
    'Blocks written per second over the last 30 seconds',
    () => progress().blocksPerSecond,
  )
  metrics.gauge('firstlight_index_in_trouble', '1 while an error stops the indexer from writing blocks', () =>
    progress().trouble === null ? 0 : 1,
  )
  metrics.gauge(
    'firstlight_database_writable',
    '0 while the disk is full, or the SQLite file locked or read-only',
    () => (progress().storage === null ? 1 : 0),
  )
  metrics.gauge(
    'firstlight_index_writer_renewal_age_seconds',
    'While this process waits for the writer lock: how long its holder has not renewed it; otherwise 0',
    () => (progress().writer?.renewalAgeMs ?? 0) / 1000,
  )
  metrics.counted('firstlight_index_reorgs_total', 'Reorgs written to the index', () => progress().reorgs)
  metrics.counted(
    'firstlight_index_balances_sampled_total',
    'Balances compared with the node',
    () => progress().balancesSampled,
  )
  metrics.counted(
    'firstlight_index_balances_healed_total',
    'Balances that differed from the node’s and were corrected',
    () => progress().balancesHealed,
  )
  metrics.counted(
    'firstlight_index_unread_frames_total',
    'Call frames that could not be read',
    () => progress().unreadFrames,
  )
  metrics.gauge(
    'firstlight_index_unknown_balances',
    'Native balances that are not known yet',
    () => progress().repair.balances.unknown,
  )
  metrics.gauge(
    'firstlight_index_balances_unchecked',
    'Balances that a running check of all balances has still to read',
    () => progress().repair.balances.total - progress().repair.balances.checked,
  )
  metrics.gauge(
    'firstlight_index_untraced_blocks',
    'Blocks whose internal transactions are not all known',
    () => progress().repair.traces.blocks,
  )
  metrics.gauge(
    'firstlight_index_blocks_to_derive_again',
    'Blocks of which an older version of the program derived something, and which are not derived again yet',
    () => blocksToDerive(progress()),
  )
  metrics.gauge(
    'firstlight_index_tokens_agreed',
    'Tokens whose sums of events agree with their contract',
    () => progress().tokens.agreed,
  )
  metrics.gauge(
    'firstlight_index_tokens_read_from_contract',
    'Tokens whose balances are read from their contract because the sums of events do not hold',
    () => progress().tokens.readFromContract,
  )
  metrics.gauge(
    'firstlight_index_tokens_waiting',
    'Tokens to be compared with their contract or read from it now',
    () => progress().tokens.waiting,
  )
  const requests = metrics.counter('firstlight_node_requests_total', 'Requests of the indexer to the node', [
    ...REQUEST_LABELS,
  ])
  const seconds = metrics.counter('firstlight_node_request_seconds_total', 'Time that these requests took', [
    ...REQUEST_LABELS,
  ])
  return (counts: readonly RequestCount[]): void => {
    for (const { url, method, outcome, count, seconds: spent } of counts) {
      requests.inc({ url, method, outcome }, count)
      seconds.inc({ url, method, outcome }, spent)
    }
  }
}
