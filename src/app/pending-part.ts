// The pending chain as a part of a server: its thread, JSON-RPC over it, the hub that sends the feed to subscribers, and their metrics.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { ForkSchedule } from '../chain/rules/forks.ts'
import { type GenesisConfig, scheduleFromGenesis } from '../chain/rules/genesis.ts'
import { traceFromCallTracer } from '../chain/trace/call-tracer-frames.ts'
import type { TracePending } from '../explorer/state/chain-context.ts'
import { pendingNodeFor } from '../http/pages/pending-node.ts'
import { addRpcRoutes } from '../http/rpc/rpc.ts'
import { createKeyCheck } from '../http/rpc/rpc-keys.ts'
import { addRelay } from '../http/sockets/relay.ts'
import { addRpcSocket } from '../http/sockets/rpc-socket.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import { monotonicMs } from '../lib/clock.ts'
import { ConfigError } from '../lib/config/config.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { LedgerEvent } from '../preconfirmations/ledger.ts'
import { createHub, type Hub } from '../relay/hub.ts'
import type { RpcChannel } from '../rpc/server/channel.ts'
import { startInlineChannel } from '../rpc/server/inline-channel.ts'
import type { PendingCounts, PendingStatus } from '../rpc/server/status.ts'
import { startWorkerChannel } from '../rpc/server/worker-channel.ts'
import { type Access, localAddressLimit } from './access-part.ts'
import type { ServerContext } from './context.ts'
import type { Config } from './options.ts'

export type Pending = { readonly rpc: RpcChannel; readonly hub: Hub; status(): PendingStatus | null }

export function pendingPart(
  { config, metrics, log, fail }: ServerContext,
  onLedgerEvents: (events: readonly LedgerEvent[]) => void,
): Part<Pending> {
  return {
    name: 'pending chain',
    start: () => {
      const hub = createHub()
      let rpc: RpcChannel | undefined
      const onProcessed = addPendingMetrics(metrics, () => rpc?.status() ?? null)
      const startChannel = servesRpcAlone(config) ? startInlineChannel : startWorkerChannel
      rpc = startChannel(
        {
          nodeUrls: config.RPC_URL!,
          feedUrls: config.FLASHBLOCKS_ENABLED ? (config.FLASHBLOCKS_URL ?? null) : null,
          staleMs: config.FLASHBLOCKS_STALE_MS === 0 ? null : config.FLASHBLOCKS_STALE_MS,
          latest: config.FLASHBLOCKS_LATEST,
          holdsReceipts: config.FLASHBLOCKS_HOLD_RECEIPTS,
          schedule: config.GENESIS === undefined ? null : scheduleIn(config.GENESIS),
          gasCap: BigInt(config.RPC_GAS_CAP),
          callTimeoutMs: config.RPC_CALL_TIMEOUT_MS,
          work: config.RPC_WORK_PER_S === 0 ? null : { perSecond: config.RPC_WORK_PER_S, burst: config.RPC_WORK_BURST },
        },
        { log, onFlashblock: (flashblock) => hub.publish(flashblock), onProcessed, onLedgerEvents, onDeath: fail },
      )
      return { rpc, hub, status: rpc.status }
    },
    stop: ({ rpc }) => rpc.stop(),
  }
}

/** A process that serves JSON-RPC and nothing else needs no thread for it: it has no other work that a call could delay. */
function servesRpcAlone({ ROLES }: Config): boolean {
  return ROLES.join() === 'rpc'
}

/** The forks of a genesis file; null where it has none, and they are found from the blocks. */
function scheduleIn(file: string): ForkSchedule | null {
  try {
    const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config?: GenesisConfig }
    return config === undefined ? null : scheduleFromGenesis(config)
  } catch (cause) {
    throw new ConfigError(`GENESIS: ${file} cannot be read as a genesis file: ${(cause as Error).message}`, { cause })
  }
}

/** All readers of the explorer together: requests of the API have paid for themselves. */
const TRACING = 'explorer'

/** The calls of preconfirmed transactions, as `debug_traceTransaction` gives them. */
export function tracePending(rpc: Pick<RpcChannel, 'answer' | 'status'>): TracePending {
  const node = pendingNodeFor(TRACING, rpc)
  return async (hash) => {
    const [traced] = await node.ask([['debug_traceTransaction', hash, { tracer: 'callTracer' }]])
    if (traced?.type !== 'result') return undefined
    return traceFromCallTracer(traced.result)
  }
}

/** JSON-RPC and the feed. They answer without the database, unless keys are required. */
export function addPendingRoutes(
  app: FastifyInstance,
  { rpc, hub }: Pending,
  { config, metrics, log, access }: Pick<ServerContext, 'config' | 'metrics' | 'log'> & { readonly access: Access },
): void {
  const isKey = async (key: string) => (await access.keyRing.find(key)) !== undefined
  const shared = {
    admission: localAddressLimit(config),
    admitKey: config.RPC_KEYS_REQUIRED ? createKeyCheck(isKey, access.usage.count) : undefined,
    limits: { total: config.RELAY_MAX_SUBSCRIBERS, perAddress: config.RELAY_MAX_PER_IP },
    metrics,
  }
  if (config.ROLES.includes('rpc')) {
    addRpcRoutes(app, { ...shared, answer: rpc.answer, log })
    addRpcSocket(app, { ...shared, rpc })
  }
  const browserPage = config.ROLES.includes('web') ? '/flashblock' : undefined
  if (config.ROLES.includes('relay')) addRelay(app, { ...shared, hub, browserPage })
}

/** Most figures are read from the status that the pending thread reports. Gives the function that takes the time of one flashblock. */
function addPendingMetrics(metrics: Metrics, status: () => PendingStatus | null): (ms: number) => void {
  const gauge = (name: string, help: string, of: (status: PendingStatus) => number | null) =>
    metrics.gauge(`firstlight_${name}`, help, () => {
      const now = status()
      return (now && of(now)) ?? Number.NaN
    })
  const count = (name: string, help: string, of: keyof PendingCounts) =>
    metrics.counted(`firstlight_${name}`, help, () => status()?.counts[of] ?? 0)
  const sum = (name: string, help: string, of: 'connections' | 'unreadable' | 'undecoded' | 'messages' | 'disproved') =>
    metrics.counted(`firstlight_${name}`, help, () =>
      (status()?.feed?.upstreams ?? []).reduce((all, upstream) => all + upstream[of], 0),
    )

  gauge('pending_snapshot_height', 'Height of the newest preconfirmed block', ({ preconfirmed }) => preconfirmed)
  gauge('pending_snapshot_index', 'Index of its newest flashblock', ({ flashblockIndex }) => flashblockIndex)
  gauge('pending_canonical_height', 'Height of the canonical block below the pending chain', (now) => now.canonical)
  gauge('pending_age_seconds', 'Time since the pending chain last advanced', ({ advancedMs }) =>
    advancedMs === null ? null : (monotonicMs() - advancedMs) / 1000,
  )
  gauge('pending_stale', '1 while `pending` answers `latest` though a feed is followed', ({ feed, isStale }) =>
    Number(feed !== null && isStale),
  )
  gauge('pending_executor_well', '1 while there is state at `pending`', (now) => Number(now.executorTrouble === null))
  gauge('pending_stepped_back', '1 while the node answers for state because blocks cannot be reproduced', (now) =>
    Number(now.reproduction.isSteppedBack),
  )
  metrics.counted(
    'firstlight_unreproduced_blocks_total',
    'Canonical blocks whose execution here gave another result',
    () => status()?.reproduction.blocks ?? 0,
  )
  gauge('feed_connected', 'Upstreams of the feed that are connected', ({ feed }) =>
    feed === null ? null : feed.upstreams.filter(({ isConnected }) => isConnected).length,
  )
  gauge(
    'feed_distrusted',
    'Upstreams of the feed that are not followed because sealed blocks disproved them',
    ({ feed }) => (feed === null ? null : feed.upstreams.filter(({ isDistrusted }) => isDistrusted).length),
  )
  gauge('feed_disputed', '1 while upstreams of the feed contradict each other about a block', ({ feed }) =>
    feed === null ? null : Number(feed.disputed !== null),
  )
  gauge('flashblocks_in_block', 'Flashblocks of the last block', ({ counts }) => counts.flashblocksOfLastBlock)
  count('flashblocks_total', 'Flashblocks received, duplicates not counted', 'flashblocks')
  count('unexpected_block_order_total', 'Flashblocks that did not continue the one before', 'unexpectedOrder')
  count(
    'flashblocks_unproven_total',
    'Flashblocks whose header does not give the announced block hash',
    'unprovenFlashblocks',
  )
  count(
    'flashblock_candidates_dropped_total',
    'Flashblocks of an upstream that sent too many versions of one index',
    'droppedCandidates',
  )
  count('settled_blocks_kept_total', 'Sealed blocks equal to what was preconfirmed', 'blocksKept')
  count('settled_blocks_changed_total', 'Sealed blocks that differ from what was preconfirmed', 'blocksChanged')
  count('settled_transactions_kept_total', 'Transactions sealed as preconfirmed', 'transactionsKept')
  count(
    'settled_transactions_changed_total',
    'Transactions sealed in another position or with another result',
    'transactionsChanged',
  )
  count('settled_transactions_dropped_total', 'Transactions preconfirmed but not sealed', 'transactionsDropped')
  count('canonical_reorgs_total', 'Canonical blocks that replaced others', 'reorgs')
  sum('feed_connections_total', 'Connections to the feed; all but the first are reconnects', 'connections')
  sum('feed_unreadable_total', 'Messages of the feed that could not be parsed', 'unreadable')
  sum('feed_undecoded_total', 'Flashblocks with a transaction of an unknown type: relayed, not served', 'undecoded')
  sum('feed_disproved_total', 'Sealed blocks that disproved what an upstream sent', 'disproved')
  sum('feed_messages_total', 'Messages of all upstreams of the feed', 'messages')
  metrics.counted('firstlight_feed_lost_total', 'Messages dropped without being read', () => status()?.feed?.lost ?? 0)

  const processing = metrics.histogram(
    'firstlight_flashblock_processing_seconds',
    'From the arrival of a flashblock to the snapshot that includes it, execution included',
    [],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  )
  return (ms) => processing.observe(ms / 1000)
}
