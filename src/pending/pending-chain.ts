// The preconfirmed chain: everything that is known of the blocks above the canonical head. Pure: the chain and an event give the next
// chain, or the same object where the event changes nothing. What is served is always the longest good prefix; it is never cleared
// because something is missing, only replaced by something better or overtaken by the canonical chain.

import type { Hex } from '../chain/bytes/hex.ts'
import type { VerifiedFlashblock } from '../chain/codec/flashblock.ts'
import type { Receipt } from '../chain/codec/receipt.ts'
import { type CanonicalBlock, differencesBetween, type Settlement, settlementOf } from './compare-with-sealed.ts'

import { blockWith, type PendingBlock, type RulesOf, withReceipts } from './pending-block.ts'

export type PendingChain = {
  /** Null until the node has reported its head: a block that stands on nothing is not served. */
  readonly canonical: CanonicalHead | null
  /** The canonical head and those before it that are still below it, lowest first. */
  readonly heads: readonly CanonicalHead[]
  /** Above the canonical head, each on its parent; lowest first. */
  readonly blocks: readonly PendingBlock[]
  /** Everything above the canonical head, served or not, in the order in which it began to come. */
  readonly sequences: readonly Sequence[]
  /** Versions of blocks that are canonical by now, where the canonical block has what they announced. */
  readonly archive: readonly PendingBlock[]
  /** How the last blocks ended, oldest first. */
  readonly settlements: readonly Settlement[]
  readonly pace: FeedPace
  /** For too long nothing new has been served: `pending` is to answer `latest`. */
  readonly isStale: boolean
}

export type PendingEvent =
  /** The resequencer verified the next flashblocks of a payload, or found that one is missing. */
  | {
      readonly type: 'payload'
      readonly payloadId: Hex
      readonly height: number
      readonly verified: readonly VerifiedFlashblock[]
      readonly hasGap: boolean
      /** By the monotonic clock, as all times of the pending chain. */
      readonly receivedMs: number
    }
  /** Every one, in order; after a reorg the new blocks from the lowest on. */
  | { readonly type: 'canonical'; readonly block: CanonicalBlock }
  /** What was announced above this height is not believed; what still is comes again. */
  | { readonly type: 'again'; readonly above: number }
  /** Receipts that the feed left out, of all transactions of the flashblock with this hash. */
  | { readonly type: 'executed'; readonly hash: Hex; readonly receipts: readonly Receipt[] }
  | { readonly type: 'clock'; readonly nowMs: number }

export type PendingChainRules = {
  readonly rulesOf: RulesOf
  /** Null: three times the interval observed, at least two seconds. */
  readonly staleMs: number | null
}

export const EMPTY_CHAIN: PendingChain = Object.freeze({
  canonical: null,
  heads: [],
  blocks: [],
  sequences: [],
  archive: [],
  settlements: [],
  pace: { advancedMs: null, intervalMs: null },
  isStale: true,
})

export function pendingChainAfter(rules: PendingChainRules, chain: PendingChain, event: PendingEvent): PendingChain {
  switch (event.type) {
    case 'payload':
      return afterPayload(rules, chain, event)
    case 'canonical':
      return afterCanonical(chain, event.block)
    case 'again':
      return linked({ ...chain, sequences: chain.sequences.filter(({ height }) => height <= event.above) })
    case 'executed':
      return afterExecuted(rules, chain, event)
    case 'clock': {
      const isStale = isLate(chain.pace, rules.staleMs, event.nowMs)
      return isStale === chain.isStale ? chain : Object.freeze({ ...chain, isStale })
    }
  }
}

/** Blocks whose flashblocks are still found by hash. */
export const RETAINED_BLOCKS = 64

function afterPayload(
  { rulesOf }: PendingChainRules,
  chain: PendingChain,
  event: PendingEvent & { type: 'payload' },
): PendingChain {
  const { payloadId, height, verified, hasGap, receivedMs } = event
  const { canonical, sequences } = chain
  const ahead = canonical === null ? 1 : height - canonical.height
  if (ahead < 1 || ahead > RETAINED_BLOCKS) return chain
  const known = sequences.find((sequence) => sequence.payloadId === payloadId && sequence.height === height)
  const versions = [...(known?.versions ?? [])]
  for (const each of verified) {
    // The beginning of the payload came when it was too far from the canonical head.
    if (each.flashblock.index !== versions.length) return chain
    versions.push(blockWith(rulesOf, versions.at(-1), each))
  }
  const after: Sequence = Object.freeze({ payloadId, height, receivedMs, versions, hasGap })
  const next = known === undefined ? [...sequences, after] : sequences.map((each) => (each === known ? after : each))
  const longer = linked({ ...chain, sequences: withinBound(next) })
  const tip = longer.blocks.at(-1)
  return tip === undefined || tip === chain.blocks.at(-1) ? longer : advanced(longer, receivedMs)
}

function afterCanonical(chain: PendingChain, block: CanonicalBlock): PendingChain {
  // A node that lags reports old blocks; only a block that was never canonical is new.
  if (chain.heads.some(({ hash }) => hash === block.hash)) return chain
  const { number: height, parentHash, transactionsRoot, receiptsRoot, timestamp } = block.header
  const canonical = { height, hash: block.hash, parentHash, transactionsRoot, receiptsRoot, timestamp }
  const isConfirmed = (version: PendingBlock) => differencesBetween(version, block).length === 0
  const preconfirmed = chain.blocks.find(({ header }) => header.number === height)
  const ofHeight = [...chain.archive, ...chain.sequences.flatMap(({ versions }) => versions)].filter(
    ({ header }) => header.number === height,
  )
  const onHead = linked({
    ...chain,
    canonical,
    heads: [...chain.heads.filter((head) => head.height < height), canonical].slice(-RETAINED_BLOCKS),
    sequences: chain.sequences.filter((sequence) => sequence.height > height),
    archive: [
      ...chain.archive.filter(({ header }) => header.number < height && header.number > height - RETAINED_BLOCKS),
      ...ofHeight.filter(isConfirmed),
    ],
    settlements:
      preconfirmed === undefined
        ? chain.settlements
        : [...chain.settlements, settlementOf(preconfirmed, block)].slice(-RETAINED_BLOCKS),
  })
  const tip = onHead.blocks.at(-1)
  if (tip === undefined || chain.blocks.includes(tip)) return onHead
  // The tip was received before its parent was canonical: the feed was earlier than the node.
  const { receivedMs } = onHead.sequences.find(({ payloadId }) => payloadId === tip.payloadId)!
  return receivedMs > (chain.pace.advancedMs ?? 0) ? advanced(onHead, receivedMs) : onHead
}

/** A later flashblock may be there already: its first transactions are the same. */
function afterExecuted(
  { rulesOf }: PendingChainRules,
  chain: PendingChain,
  { hash, receipts }: PendingEvent & { type: 'executed' },
): PendingChain {
  const sequences = chain.sequences.map((sequence) => {
    const at = sequence.versions.findIndex((version) => version.hash === hash)
    if (at === -1) return sequence
    const versions = sequence.versions.map((version, i) =>
      i < at ? version : withReceipts(rulesOf, version, receipts),
    )
    return { ...sequence, versions }
  })
  return linked({ ...chain, sequences })
}

/** The chain with the blocks that its sequences now give. */
function linked(chain: PendingChain): PendingChain {
  return Object.freeze({
    ...chain,
    blocks: chain.canonical === null ? [] : linkedBlocks(chain.canonical, chain.sequences),
  })
}

/** There is something new to serve, which was received at this time. */
function advanced(chain: PendingChain, receivedMs: number): PendingChain {
  return Object.freeze({ ...chain, pace: advancedPace(chain.pace, receivedMs), isStale: false })
}

/** The payload that has nothing to serve is removed first, then the oldest. */
function withinBound(sequences: readonly Sequence[]): readonly Sequence[] {
  if (sequences.length <= MAX_SEQUENCES) return sequences
  const surplus = sequences.find(({ versions }) => versions.length === 0) ?? sequences[0]
  return sequences.filter((sequence) => sequence !== surplus)
}

/** Payloads above the canonical head, good or bad. */
const MAX_SEQUENCES = 2 * RETAINED_BLOCKS

export type FeedPace = {
  /** When something new was last served; null before the first time. */
  readonly advancedMs: number | null
  /** Smoothed; null before the second. */
  readonly intervalMs: number | null
}

export function advancedPace({ advancedMs, intervalMs }: FeedPace, nowMs: number): FeedPace {
  if (advancedMs === null) return { advancedMs: nowMs, intervalMs }
  // A pause is no interval: after an hour of silence the interval must not be an hour.
  const latest = Math.min(nowMs - advancedMs, LONGEST_INTERVAL_MS)
  const smoothed = intervalMs === null ? latest : intervalMs * (1 - NEWEST_SHARE) + latest * NEWEST_SHARE
  return { advancedMs: nowMs, intervalMs: smoothed }
}

/** `staleMs` null: by what was observed. */
export function isLate({ advancedMs, intervalMs }: FeedPace, staleMs: number | null, nowMs: number): boolean {
  if (advancedMs === null) return true
  const timeoutMs = staleMs ?? Math.max(SHORTEST_TIMEOUT_MS, INTERVALS_UNTIL_LATE * (intervalMs ?? 0))
  return nowMs - advancedMs > timeoutMs
}

const NEWEST_SHARE = 0.1
const LONGEST_INTERVAL_MS = 2_000
const SHORTEST_TIMEOUT_MS = 2_000
const INTERVALS_UNTIL_LATE = 3

export type CanonicalHead = {
  readonly height: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  /** In seconds. */
  readonly timestamp: number
}

/** Equal hashes prove it. A feed that leaves the state root out reports another hash; then the roots that it reports must agree. */
export function isSettledAs({ hash, header }: PendingBlock, head: CanonicalHead): boolean {
  return (
    hash === head.hash ||
    (header.number === head.height &&
      header.parentHash === head.parentHash &&
      header.transactionsRoot === head.transactionsRoot &&
      header.receiptsRoot === head.receiptsRoot)
  )
}

/** One payload as the resequencer verified it. */
export type Sequence = {
  readonly payloadId: Hex
  readonly height: number
  /** When it last grew. */
  readonly receivedMs: number
  /** The block after each flashblock: the version at `i` has index `i`. */
  readonly versions: readonly PendingBlock[]
  /** Later flashblocks wait for a missing one. */
  readonly hasGap: boolean
}

/** Sequences come oldest first: where several fit, the one that began last wins, with its ancestors and its descendants. */
export function linkedBlocks(head: CanonicalHead, sequences: readonly Sequence[]): readonly PendingBlock[] {
  for (const sequence of sequences.toReversed()) {
    const tip = sequence.versions.at(-1)
    const below = tip === undefined ? null : blocksUpTo(head, sequences, tip)
    if (below !== null) return [...below, ...blocksAbove(sequences, below.at(-1)!)]
  }
  return []
}

/** The block and everything between it and the head; null where it does not stand on the head. */
function blocksUpTo(
  head: CanonicalHead,
  sequences: readonly Sequence[],
  block: PendingBlock,
): readonly PendingBlock[] | null {
  const { number, parentHash } = block.header
  if (number === head.height + 1) return parentHash === head.hash ? [block] : null
  for (const sequence of sequences.toReversed()) {
    const parent = sequence.height === number - 1 ? parentIn(sequence, parentHash) : undefined
    const below = parent === undefined ? null : blocksUpTo(head, sequences, parent)
    if (below !== null) return [...below, block]
  }
  return null
}

function blocksAbove(sequences: readonly Sequence[], block: PendingBlock): readonly PendingBlock[] {
  for (const { height, versions } of sequences.toReversed()) {
    const child = height === block.header.number + 1 ? versions.at(-1) : undefined
    const own = sequences.find(({ payloadId }) => payloadId === block.payloadId)!
    if (child !== undefined && parentIn(own, child.header.parentHash) === block) {
      return [child, ...blocksAbove(sequences, child)]
    }
  }
  return []
}

/**
 * The version that was sealed, if it is one of these. A feed that leaves the state root out announces hashes that the sealed block will not
 * have; there the last version is taken for the parent, unless it is known to lack something, until the canonical block says more.
 */
function parentIn(sequence: Sequence, parentHash: Hex): PendingBlock | undefined {
  const last = sequence.versions.at(-1)
  if (last?.header.stateRoot === NO_STATE_ROOT) return sequence.hasGap ? undefined : last
  return sequence.versions.findLast(({ hash }) => hash === parentHash)
}

const NO_STATE_ROOT: Hex = `0x${'00'.repeat(32)}`
