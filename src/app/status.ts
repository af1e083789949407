// What /status and /ready say of this process.
import type { OperatorView } from '../http/api/operator.ts'
import type { PendingStatus } from '../rpc/server/status.ts'
import { gapsIn } from '../store/chain/ranges.ts'
import type { Database } from '../store/engine/database.ts'
import { chainState, rangesStored } from '../store/read/head.ts'
import type { IngestPart } from './indexer-part.ts'
import type { LedgerPart } from './ledger-part.ts'
import { askNode } from './node-probe.ts'
import type { Config } from './options.ts'
import type { PendingPart } from './pending-part.ts'
import { version } from './version.ts'

/** More blocks behind the node's head than this, and answers are called stale. */
const MAX_LAG_BLOCKS = 10

export function operatorView(options: {
  config: Config
  database: Database
  ingest: IngestPart | undefined
  pending: PendingPart | undefined
  ledger: LedgerPart
  stopping: AbortSignal
}): OperatorView {
  const { config, database, ingest, pending, ledger, stopping } = options
  const startedMs = Date.now()
  const chainId = createChainId(config.RPC_URL?.[0])

  const stored = async () => {
    try {
      const gaps = gapsIn(await rangesStored(database), config.START_BLOCK)
      return { state: await chainState(database), gaps, trouble: null }
    } catch (error) {
      return { state: undefined, gaps: [], trouble: (error as Error).message }
    }
  }
  const lagOf = (indexed: number | null): number | null => {
    const head = ingest?.progress().head ?? null
    return head === null || indexed === null ? null : Math.max(0, head - indexed)
  }

  const databaseTroubles = async () => {
    if (!needsIndex(config) && !config.RPC_KEYS_REQUIRED) return []
    const { state, gaps, trouble } = await stored()
    if (!state) return [`the database does not answer: ${trouble}`]
    if (!needsIndex(config)) return []
    const indexed = state.head?.height ?? null
    const lag = lagOf(indexed)
    return [
      indexed === null && 'no block is indexed yet',
      lag !== null && lag > MAX_LAG_BLOCKS && `the index is ${lag} blocks behind the node`,
      ...gaps.map(({ from, to }) => `blocks ${from} to ${to} are not indexed yet: lists and balances lack them`),
      ingest?.progress().trouble,
    ]
  }

  return {
    notReadyReasons: async () => {
      if (stopping.aborted) return ['stopping']
      const reasons = [
        config.RPC_URL === undefined && 'no node: RPC_URL is not set',
        ...(await databaseTroubles()),
        ...pendingTroubles(config, pending),
      ]
      return reasons.filter((reason) => typeof reason === 'string')
    },
    status: async () => {
      const { state, gaps, trouble } = await stored()
      const progress = ingest?.progress()
      const indexed = state?.head?.height ?? null
      const preconfirmations = pending?.status() ?? null
      return {
        version,
        pid: process.pid,
        node: process.version,
        uptimeS: Math.floor((Date.now() - startedMs) / 1000),
        chain: { shortName: config.CHAIN_SHORT_NAME, fullName: config.CHAIN_FULL_NAME, chainId: await chainId() },
        roles: config.ROLES,
        heights: {
          preconfirmed: preconfirmations?.preconfirmed ?? null,
          latest: preconfirmations?.canonical ?? progress?.head ?? null,
          safe: state?.safe ?? null,
          finalized: state?.finalized ?? null,
          indexed,
        },
        lags: { indexedBlocks: lagOf(indexed), feedAgeMs: ageMsOf(preconfirmations) },
        index: progress ?? null,
        /** Below the highest indexed block. */
        gaps,
        preconfirmations: preconfirmations && { ...preconfirmations, subscribers: pending!.hub.subscribers },
        /** Of the last hour. */
        preconfirmationQuality: preconfirmations && ledger.figures(),
        database: { engine: database.engine, trouble },
      }
    },
  }
}

/** JSON-RPC and the feed alone are answered without. */
function needsIndex({ ROLES }: Config): boolean {
  return ROLES.some((role) => role !== 'rpc' && role !== 'relay')
}

function ageMsOf(status: PendingStatus | null): number | null {
  return status?.advancedMs === null || status?.advancedMs === undefined ? null : Date.now() - status.advancedMs
}

/** Why `pending` does not outrun `latest`, where it should. */
function pendingTroubles({ FLASHBLOCKS_ENABLED }: Config, pending: PendingPart | undefined): string[] {
  const status = pending?.status()
  if (!FLASHBLOCKS_ENABLED || !pending) return []
  if (!status?.feed) return ['the pending chain has not begun yet']
  const ageMs = ageMsOf(status)
  const isConnected = status.feed.upstreams.some((upstream) => upstream.isConnected)
  return [
    !isConnected && `the feed is not connected: ${status.feed.upstreams.map(({ trouble }) => trouble).join('; ')}`,
    status.isStale && `the feed is stale: ${ageMs === null ? 'nothing came yet' : `nothing new for ${ageMs} ms`}`,
    status.executorTrouble !== null && `pending state is not available: ${status.executorTrouble}`,
  ].filter((reason) => typeof reason === 'string')
}

/** The id of a chain never changes: asked until it was answered once. */
function createChainId(url: string | undefined): () => Promise<number | null> {
  let known: number | undefined
  return async () => {
    if (url) known ??= await askNode(url, 'eth_chainId').then(Number, () => undefined)
    return known ?? null
  }
}
