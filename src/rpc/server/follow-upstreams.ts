// Feeds the pending chain: flashblocks as the feed brings them, canonical blocks as the node seals them, and a clock that notices silence.
// What the feed brings goes out again through `onFlashblock`.

import type { Log } from '../../lib/log.ts'
import type { CanonicalBlock } from '../../pending/compare-with-sealed.ts'
import type { ForkRules } from '../../pending/fork-rules.ts'
import { EXECUTOR_IS_BEHIND, type LivePendingChain } from '../../pending/live-pending-chain.ts'
import { createOutgoingFeed, type Outgoing, type OutgoingFeed } from '../../relay/outgoing-feed.ts'
import type { Feed, FeedEvent, FeedFlashblock } from '../../upstream/feed/feed.ts'
import {
  EMPTY_RESEQUENCER,
  type Resequencer,
  type ResequencerItem,
  resequence,
} from '../../upstream/feed/resequencer.ts'
import {
  isFollowed,
  NO_STANDING,
  type Standing,
  standingAfterFlashblock,
  standingAfterSealed,
} from '../../upstream/feed/standing.ts'
import { canonicalBlocks } from '../../upstream/node/canonical-blocks.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import type { LedgerRecorder } from './ledger-events.ts'
import { type Counting, countProof, countSettlement, noteUnproven } from './status.ts'

export type UpstreamParts = {
  readonly pendingChain: LivePendingChain
  readonly node: Node
  /** Null where none is followed. */
  readonly feed: Feed | null
  readonly rules: ForkRules
  readonly counting: Counting
  readonly ledger: LedgerRecorder
  readonly log: Log
  /** Before the pending chain takes it. */
  readonly onCanonical: (block: NodeBlock) => void
  /** In the order of the feed, complete where that could be. */
  readonly onFlashblock: (flashblock: Outgoing) => void
  /** From the frame to the view that has it. */
  readonly onProcessed: (ms: number) => void
}

/** Until the signal ends. */
export async function followUpstreams(parts: UpstreamParts, signal: AbortSignal): Promise<void> {
  const { pendingChain, feed, onFlashblock, onProcessed } = parts
  const outgoing = createOutgoingFeed({ send: onFlashblock })
  let resequencer: Resequencer<FeedFlashblock> = EMPTY_RESEQUENCER
  let standing: Standing = NO_STANDING
  let processedMs: number | null = null
  const endListening = pendingChain.on(({ states, problem, snapshot }) => {
    if (problem !== EXECUTOR_IS_BEHIND) outgoing.executed(problem === null ? states : null)
    if (snapshot.advancedMs === processedMs || snapshot.advancedMs === null) return
    processedMs = snapshot.advancedMs
    onProcessed(Date.now() - processedMs)
  })
  const clock = setInterval(() => {
    const nowMs = Date.now()
    pendingChain.take({ type: 'clock', nowMs })
    outgoing.tick(nowMs)
  }, CLOCK_MS)
  const onReceived = (received: FeedFlashblock): void => {
    standing = standingAfterFlashblock(standing, received)
    if (!isFollowed(standing, received.upstream)) return
    const { state, items } = resequence(resequencer, { type: 'flashblock', received })
    resequencer = state
    for (const item of items) takeItem(parts, outgoing, item)
  }
  const onHead = ({ header: { number: height }, hash, transactions }: NodeBlock): void => {
    resequencer = resequence(resequencer, { type: 'canonical', height }).state
    const judged = standingAfterSealed(standing, { height, hash, transactions: transactions.map((each) => each.hash) })
    standing = judged.standing
    parts.counting.standings = standing.upstreams
    for (const { upstream, height } of judged.disproofs) {
      const { url } = feed!.status().upstreams[upstream]!
      parts.log.warn({ url, height }, 'an upstream of the feed sent flashblocks that the sealed block disproves')
    }
  }
  try {
    await Promise.all([
      followCanonical(parts, onHead, signal),
      parts.ledger.followTags(signal),
      feed === null ? undefined : followFeed(parts, feed.events(signal), onReceived),
    ])
  } finally {
    clearInterval(clock)
    endListening()
  }
}

async function followFeed(
  { rules }: UpstreamParts,
  events: AsyncIterable<FeedEvent>,
  onReceived: (received: FeedFlashblock) => void,
): Promise<void> {
  for await (const event of events) {
    if (event.type === 'end') continue
    const { base, transactions } = event.flashblock
    if (base !== null) rules.learn({ header: base, transactions })
    onReceived(event)
  }
}

function takeItem(
  { pendingChain, ledger, counting }: UpstreamParts,
  outgoing: OutgoingFeed,
  item: ResequencerItem<FeedFlashblock>,
): void {
  const { counts } = counting
  switch (item.type) {
    case 'received':
      counts.flashblocks++
      if (!item.isInOrder) counts.unexpectedOrder++
      if (item.isFirst) ledger.flashblock(item.received)
      break
    case 'payload':
      if (item.verified.some(({ isProven }) => isProven)) countProof(counting, item.height)
      pendingChain.take(item)
      ledger.announced(item.receivedMs)
      break
    case 'dropped':
      counts.droppedCandidates++
      break
    case 'unproven':
      counts.unprovenFlashblocks++
      noteUnproven(counting, item.received.flashblock.height, item.isTaken)
      break
    case 'gap':
      outgoing.gap(item.after)
      break
    case 'released':
      outgoing.take(item.received)
      break
  }
}

async function followCanonical(
  parts: UpstreamParts,
  onHead: (block: NodeBlock) => void,
  signal: AbortSignal,
): Promise<void> {
  const { pendingChain, node, rules, counting, ledger, log, onCanonical } = parts
  for await (const block of canonicalBlocks({ node, log }, signal)) {
    rules.learn(block)
    await rules.confirm(block, signal)
    onCanonical(block)
    ledger.canonical(block)
    takeCanonical(pendingChain, counting, block)
    onHead(block)
    const broken = counting.lastBroken
    if (broken?.canonicalHash === block.hash) {
      log.warn({ height: broken.height, differences: broken.differences }, 'a sealed block broke its preconfirmations')
    }
  }
}

function takeCanonical(pendingChain: LivePendingChain, counting: Counting, block: CanonicalBlock): void {
  const before = pendingChain.chain()
  pendingChain.take({ type: 'canonical', block })
  const after = pendingChain.chain()
  if (after === before) return
  counting.counts.canonicalBlocks++
  if (before.canonical !== null && block.header.number <= before.canonical.height) counting.counts.reorgs++
  const preconfirmed = before.blocks.find(({ header }) => header.number === block.header.number)
  const settlement = after.settlements.at(-1)
  if (preconfirmed !== undefined && settlement?.canonicalHash === block.hash)
    countSettlement(counting, preconfirmed, settlement)
}

/** How soon silence is noticed after it has become too long. */
const CLOCK_MS = 100
