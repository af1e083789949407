// The index in figures for /metrics.
import type { IndexerProgress } from '../indexer/progress.ts'
import { blockCount } from '../indexer/progress.ts'
import type { RequestCount } from '../indexer/request-counts.ts'
import type { Metrics } from '../lib/metrics.ts'

export type IngestMetrics = { requests(counts: readonly RequestCount[]): void }

const LABELS = ['url', 'method', 'outcome'] as const

export function addIngestMetrics(metrics: Metrics, progress: () => IndexerProgress): IngestMetrics {
  metrics.gauge('firstlight_index_height', 'Highest block in the index', () => progress().indexed ?? -1)
  metrics.gauge('firstlight_node_height', 'Highest block of the node', () => progress().head ?? -1)
  metrics.gauge('firstlight_index_missing_blocks', 'Blocks that the node has and the index has not', () =>
    blockCount(progress().missing),
  )
  metrics.gauge(
    'firstlight_index_blocks_per_second',
    'Blocks written over the last half minute',
    () => progress().blocksPerSecond,
  )
  metrics.gauge('firstlight_index_in_trouble', '1 while the index cannot go on', () =>
    progress().trouble === null ? 0 : 1,
  )
  metrics.counted('firstlight_index_reorgs_total', 'Reorgs written', () => progress().reorgs)
  metrics.counted(
    'firstlight_index_balances_sampled_total',
    'Balances compared with the node',
    () => progress().balancesSampled,
  )
  metrics.counted(
    'firstlight_index_balances_healed_total',
    'Balances that differed from the node’s',
    () => progress().balancesHealed,
  )
  const requests = metrics.counter('firstlight_node_requests_total', 'Calls of the index to the node', LABELS)
  const seconds = metrics.counter('firstlight_node_request_seconds_total', 'Time that these calls took', LABELS)
  return {
    requests(counts) {
      for (const { url, method, outcome, count, seconds: spent } of counts) {
        requests.inc({ url, method, outcome }, count)
        seconds.inc({ url, method, outcome }, spent)
      }
    },
  }
}
