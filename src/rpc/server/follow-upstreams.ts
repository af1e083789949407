// Feeds the pending chain: flashblocks as the feed brings them, canonical blocks as the node seals them, and a clock that notices silence.
// What the feed brings goes out again through `onFlashblock`.

import { monotonicMs } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { CanonicalBlock } from '../../pending/compare-with-sealed.ts'
import type { ForkRules } from '../../pending/fork-rules.ts'
import { EXECUTOR_IS_BEHIND, type LivePendingChain } from '../../pending/live-pending-chain.ts'
import { createOutgoingFeed, type Outgoing, type OutgoingFeed } from '../../relay/outgoing-feed.ts'
import type { Feed, FeedEvent, FeedFlashblock } from '../../upstream/feed/feed.ts'
import {
  EMPTY_RESEQUENCER,
  type PayloadGrowth,
  type Resequencer,
  type ResequencerEvent,
  type ResequencerItem,
  resequence,
} from '../../upstream/feed/resequencer.ts'
import {
  isFollowed,
  losesUpstream,
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
  /** Of all upstreams, above the canonical head. */
  let recent: FeedFlashblock[] = []
  let processedMs: number | null = null
  const endListening = pendingChain.on(({ states, problem, snapshot }) => {
    if (problem !== EXECUTOR_IS_BEHIND) outgoing.executed(problem === null ? states : null)
    if (snapshot.advancedMs === processedMs || snapshot.advancedMs === null) return
    processedMs = snapshot.advancedMs
    onProcessed(monotonicMs() - processedMs)
  })
  const clock = setInterval(() => {
    const nowMs = monotonicMs()
    pendingChain.take({ type: 'clock', nowMs })
    outgoing.tick(nowMs)
  }, CLOCK_MS)
  const itemsOf = (event: ResequencerEvent<FeedFlashblock>): readonly ResequencerItem<FeedFlashblock>[] => {
    const { state, items } = resequence(resequencer, event)
    resequencer = state
    return items
  }
  /** Takes back what came from an upstream that is not followed any more, and puts what the others sent in its place. */
  const takeAgain = (): void => {
    const above = resequencer.canonicalHeight ?? -1
    itemsOf({ type: 'again', above })
    pendingChain.take({ type: 'again', above })
    for (const received of recent.filter(({ upstream }) => isFollowed(standing, upstream))) {
      for (const item of itemsOf({ type: 'flashblock', received })) {
        if (item.type !== 'received') takeItem(parts, outgoing, item, received.arrivedMs)
      }
    }
  }
  const setStanding = (next: Standing): void => {
    const isLost = losesUpstream(standing, next)
    standing = next
    parts.counting.standing = standing
    if (isLost) takeAgain()
  }
  const onReceived = (received: FeedFlashblock): void => {
    setStanding(standingAfterFlashblock(standing, received))
    recent = [...recent, received].slice(-MOST_RECENT)
    if (!isFollowed(standing, received.upstream)) return
    for (const item of itemsOf({ type: 'flashblock', received })) takeItem(parts, outgoing, item, received.arrivedMs)
  }
  const onHead = ({ header: { number: height }, hash, transactions }: NodeBlock): void => {
    itemsOf({ type: 'canonical', height })
    recent = recent.filter(({ flashblock }) => flashblock.height > height)
    const judged = standingAfterSealed(standing, { height, hash, transactions: transactions.map((each) => each.hash) })
    setStanding(judged.standing)
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
  arrivedMs: number,
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
      pendingChain.take({ ...decodedPart(item), receivedMs: arrivedMs })
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

/** From a flashblock that could not be decoded on, nothing of the payload can be served. */
function decodedPart(growth: PayloadGrowth): PayloadGrowth {
  const at = growth.verified.findIndex(({ flashblock }) => flashblock.undecoded !== undefined)
  return at === -1 ? growth : { ...growth, verified: growth.verified.slice(0, at), hasGap: true }
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

/** More flashblocks than upstreams send between two canonical blocks. */
const MOST_RECENT = 256
/** How soon silence is noticed after it has become too long. */
const CLOCK_MS = 100
