// What the methods of one server read: the pending chain, the node, settings, and the caches that all requests share.

import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import { createTurns, type Turns } from '../../lib/async/turns.ts'
import { monotonicMs } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { BucketRule } from '../../lib/numbers/token-bucket.ts'
import type { LivePendingChain } from '../../pending/live-pending-chain.ts'
import type { RulesOf } from '../../pending/pending-block.ts'
import type { FeedStatus } from '../../upstream/feed/feed.ts'
import type { Node } from '../../upstream/node/node.ts'
import { type BlockCache, createBlockCache } from './block-cache.ts'
import { createWorkBalances, type WorkBalances } from './client-work.ts'
import { createExecutions, type Executions } from './execution.ts'
import { createNodeAnswerCache, type NodeAnswerCache } from './node-calls.ts'
import { createPoolAnnouncements, type PoolAnnouncements } from './pool-announcements.ts'
import { createRecentStates, type RecentStates } from './recent-states.ts'

export type RpcSources = {
  readonly pendingChain: LivePendingChain
  readonly node: Node
  /** Without it, `firstlight_transactionStatus` reports only what the pending chain and the node know now. */
  readonly ledger?: TransactionStages | undefined
  /** Follows what comes into the pool of the node, until the signal ends. */
  readonly poolHashes?: (onHash: (hash: Hex) => void, signal: AbortSignal) => Promise<void>
  /** Null, or without it: no feed is followed. */
  readonly feedStatus?: () => FeedStatus | null
  readonly chainId: bigint
  readonly rulesOf: RulesOf
  /** What the tag `latest` means while something is preconfirmed (docs/spec-gaps.md#35). */
  readonly latest: 'canonical' | 'preconfirmed'
  /** Whether a request for the receipt of a transaction that was sent here waits for its preconfirmation, a block time at most. */
  readonly holdsReceipts?: boolean
  readonly limits: RpcLimits
  readonly log: Log
}

export type TransactionStages = {
  /** As JSON-RPC shows it; null for a transaction that the ledger does not know. */
  stagesOf(hash: Hex): unknown
  /** The node accepted this transaction, which a client sent through our RPC at this time. */
  seen(sent: { readonly hash: Hex; readonly raw: Hex; readonly atMs: number }): void
}

export type RpcLimits = {
  /** Gas of one call, one attempt of an estimate, or one simulation. */
  readonly gasCap: bigint
  readonly callTimeoutMs: number
  /** What one client may make this thread do, in units of gas; no limit if it is left out. */
  readonly work?: BucketRule | null
  readonly maxBatch?: number
  readonly maxResponseChars?: number
  readonly maxSubscriptions?: number
}

export type RpcState = RpcSources & {
  readonly recentStates: RecentStates
  readonly blockCache: BlockCache
  readonly nodeAnswers: NodeAnswerCache
  readonly executions: Executions
  readonly turns: Turns
  readonly balances: WorkBalances
  readonly sent: SentTransactions
  readonly pool: PoolAnnouncements
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
  stop(): void
}

export function createRpcState(sources: RpcSources): RpcState {
  const stopping = new AbortController()
  const recentStates = createRecentStates(sources.pendingChain)
  return {
    ...sources,
    recentStates,
    blockCache: createBlockCache(),
    nodeAnswers: createNodeAnswerCache(),
    executions: createExecutions(),
    turns: createTurns(),
    balances: createWorkBalances(sources.limits.work ?? null, monotonicMs),
    sent: createSentTransactions(),
    pool: createPoolAnnouncements(),
    signal: stopping.signal,
    stop() {
      stopping.abort()
      recentStates.stop()
    },
  }
}

export type SentTransactions = {
  /** The canonical head when a client sent it through this server; undefined before the first head. */
  readonly headAtSending: LRUCache<Hex, { readonly head: Hex | undefined }>
  /** Requests for a receipt that wait for a preconfirmation. */
  waiting: number
}

const MAX_SENT = 20_000
const SENT_TTL_MS = 60_000

export function createSentTransactions(): SentTransactions {
  return { headAtSending: new LRUCache({ max: MAX_SENT, ttl: SENT_TTL_MS }), waiting: 0 }
}
