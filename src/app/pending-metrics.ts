// What /metrics says of preconfirmations, read from the status that the pending thread tells.
import type { Metrics } from '../lib/metrics.ts'
import type { PendingCounts, PendingStatus } from '../rpc/server/status.ts'

export function addPendingMetrics(
  metrics: Metrics,
  status: () => PendingStatus | null,
): { onProcessed: (ms: number) => void } {
  const gauge = (name: string, help: string, of: (status: PendingStatus) => number | null) =>
    metrics.gauge(`firstlight_${name}`, help, () => {
      const now = status()
      return (now && of(now)) ?? Number.NaN
    })
  const count = (name: string, help: string, of: keyof PendingCounts) =>
    metrics.counted(`firstlight_${name}`, help, () => status()?.counts[of] ?? 0)
  const sum = (name: string, help: string, of: 'connections' | 'unreadable' | 'messages') =>
    metrics.counted(`firstlight_${name}`, help, () =>
      (status()?.feed?.upstreams ?? []).reduce((all, upstream) => all + upstream[of], 0),
    )

  gauge('pending_snapshot_height', 'Height of the preconfirmed block', ({ preconfirmed }) => preconfirmed)
  gauge('pending_snapshot_index', 'Index of its newest flashblock', ({ flashblockIndex }) => flashblockIndex)
  gauge('pending_canonical_height', 'Height that preconfirmations stand on', ({ canonical }) => canonical)
  gauge('pending_age_seconds', 'Since the pending chain became newer', ({ advancedMs }) =>
    advancedMs === null ? null : (Date.now() - advancedMs) / 1000,
  )
  gauge('pending_stale', '1 while `pending` answers `latest`', ({ isStale }) => Number(isStale))
  gauge('pending_executor_well', '1 while there is state at `pending`', (now) => Number(now.executorTrouble === null))
  gauge('feed_connected', 'Upstreams of the feed that are connected', ({ feed }) =>
    feed === null ? null : feed.upstreams.filter(({ isConnected }) => isConnected).length,
  )
  gauge('flashblocks_in_block', 'Flashblocks of the last block', ({ counts }) => counts.flashblocksOfLastBlock)
  count('flashblocks_total', 'Flashblocks received, each once', 'flashblocks')
  count('unexpected_block_order_total', 'Flashblocks that did not continue what came before', 'unexpectedOrder')
  count('settled_blocks_kept_total', 'Sealed blocks that kept what was preconfirmed', 'blocksKept')
  count('settled_blocks_changed_total', 'Sealed blocks that did not', 'blocksChanged')
  count('settled_transactions_kept_total', 'Preconfirmed transactions sealed as promised', 'transactionsKept')
  count('settled_transactions_changed_total', 'Sealed elsewhere or with another outcome', 'transactionsChanged')
  count('settled_transactions_dropped_total', 'Preconfirmed but not sealed', 'transactionsDropped')
  count('canonical_reorgs_total', 'Canonical blocks that took the place of others', 'reorgs')
  sum('feed_connections_total', 'Connections made to the feed; all but the first are reconnects', 'connections')
  sum('feed_unreadable_total', 'Frames of the feed that could not be read', 'unreadable')
  sum('feed_messages_total', 'Messages of all upstreams of the feed', 'messages')
  metrics.counted('firstlight_feed_lost_total', 'Messages dropped unread', () => status()?.feed?.lost ?? 0)

  const processing = metrics.histogram(
    'firstlight_flashblock_processing_seconds',
    'From the frame to the snapshot that has it, execution included',
    [],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  )
  return { onProcessed: (ms) => processing.observe(ms / 1000) }
}
