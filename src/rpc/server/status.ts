// The status of the pending chain for /status, /ready and /metrics: plain data, which the worker sends to the main thread several times a
// second.
import type { Settlement } from '../../pending/compare-with-sealed.ts'
import type { LivePendingChain } from '../../pending/live-pending-chain.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import type { Reproduction } from '../../pending/step-back.ts'
import type { Feed, FeedStatus } from '../../upstream/feed/feed.ts'
import { disputedHeight, isBelieved, NO_STANDING, type Standing, standingOf } from '../../upstream/feed/standing.ts'
import type { EndpointStatus, Node } from '../../upstream/node/node.ts'

export type PendingStatus = {
  /** Heights; null if there is none. */
  readonly canonical: number | null
  readonly preconfirmed: number | null
  /** The index of the newest flashblock of the preconfirmed block. */
  readonly flashblockIndex: number | null
  /** When the pending chain last advanced, by the monotonic clock. */
  readonly advancedMs: number | null
  readonly isStale: boolean
  /** Why there is no state although something is pending; null without a problem. */
  readonly executorTrouble: string | null
  /** Whether sealed blocks come out here as they did on the chain, and the first that did not. */
  readonly reproduction: Reproduction
  /** Null if no feed is followed. */
  readonly feed: PendingFeedStatus | null
  readonly node: readonly EndpointStatus[]
  readonly counts: PendingCounts
  /** Since the last flashblock whose hash could be recomputed; null while hashes can be. */
  readonly unproven: Unproven | null
  /** The last block that broke a preconfirmation; null if none did. */
  readonly lastBroken: Settlement | null
}

export type PendingFeedStatus = Omit<FeedStatus, 'upstreams'> & {
  readonly upstreams: readonly (FeedStatus['upstreams'][number] & {
    /** Sealed blocks that disproved what it sent. */
    readonly disproved: number
    /** Sealed blocks contradict it: it is not followed while another one delivers. */
    readonly isDistrusted: boolean
  })[]
  /** The lowest block above the canonical head about which upstreams contradict each other; null where they agree. */
  readonly disputed: number | null
}

/** Hashes that cannot be recomputed: such flashblocks are refused for some blocks, then served although nothing proves them. */
export type Unproven = { readonly fromHeight: number; readonly isServed: boolean }

export type PendingCounts = {
  readonly flashblocks: number
  /** Flashblocks that did not follow the one before them. */
  readonly unexpectedOrder: number
  /** Flashblocks whose header does not give the announced hash. */
  readonly unprovenFlashblocks: number
  /** Flashblocks of an upstream that sent too many versions of one index. */
  readonly droppedCandidates: number
  /** Flashblocks of the last canonical block. */
  readonly flashblocksOfLastBlock: number
  readonly blocksKept: number
  readonly blocksChanged: number
  readonly transactionsKept: number
  /** In the sealed block, but at another position or with another receipt. */
  readonly transactionsChanged: number
  readonly transactionsDropped: number
  readonly canonicalBlocks: number
  readonly reorgs: number
}

export type Counting = {
  counts: { -readonly [name in keyof PendingCounts]: number }
  lastBroken: Settlement | null
  unproven: Unproven | null
  /** The highest block with a flashblock whose hash could be recomputed. */
  provenHeight: number
  /** Which upstreams are believed. */
  standing: Standing
}

export function createCounting(): Counting {
  return {
    counts: {
      flashblocks: 0,
      unexpectedOrder: 0,
      unprovenFlashblocks: 0,
      droppedCandidates: 0,
      flashblocksOfLastBlock: 0,
      blocksKept: 0,
      blocksChanged: 0,
      transactionsKept: 0,
      transactionsChanged: 0,
      transactionsDropped: 0,
      canonicalBlocks: 0,
      reorgs: 0,
    },
    lastBroken: null,
    unproven: null,
    provenHeight: -1,
    standing: NO_STANDING,
  }
}

export function countProof(counting: Counting, height: number): void {
  counting.provenHeight = Math.max(counting.provenHeight, height)
  counting.unproven = null
}

/** Of a block that another flashblock proves, a wrong one is only a lie of its upstream. */
export function noteUnproven(counting: Counting, height: number, isServed: boolean): void {
  if (height <= counting.provenHeight) return
  counting.unproven = { fromHeight: counting.unproven?.fromHeight ?? height, isServed }
}

/** Counts how a preconfirmed block compares with the sealed one. */
export function countSettlement(counting: Counting, preconfirmed: PendingBlock, settlement: Settlement): void {
  const { counts } = counting
  const broken = new Set(settlement.differences.map(({ transaction }) => transaction))
  const dropped = settlement.differences.filter(({ type }) => type === 'dropped').length
  counts.flashblocksOfLastBlock = preconfirmed.index + 1
  counts[broken.size === 0 ? 'blocksKept' : 'blocksChanged']++
  counts.transactionsDropped += dropped
  counts.transactionsChanged += broken.size - dropped
  counts.transactionsKept += preconfirmed.transactions.length - broken.size
  if (broken.size > 0) counting.lastBroken = settlement
}

type StatusSources = {
  readonly pendingChain: LivePendingChain
  readonly feed: Feed | null
  readonly node: Node
  readonly reproduction: Reproduction
}

export function statusOf(
  { pendingChain, feed, node, reproduction }: StatusSources,
  { counts, lastBroken, unproven, standing }: Counting,
): PendingStatus {
  const { snapshot, problem } = pendingChain.view()
  const followed = feed?.status() ?? null
  return {
    canonical: snapshot.canonical?.height ?? null,
    preconfirmed: snapshot.tip?.header.number ?? null,
    flashblockIndex: snapshot.tip?.index ?? null,
    advancedMs: snapshot.advancedMs,
    isStale: snapshot.isStale,
    executorTrouble: snapshot.tip === null ? null : problem,
    reproduction,
    feed: followed && {
      ...followed,
      upstreams: followed.upstreams.map((upstream, i) => ({
        ...upstream,
        disproved: standingOf(standing, i).disproved,
        isDistrusted: !isBelieved(standing, i),
      })),
      disputed: disputedHeight(standing),
    },
    node: node.status(),
    counts: { ...counts },
    unproven,
    lastBroken,
  }
}
