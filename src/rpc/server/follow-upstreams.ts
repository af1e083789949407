// Feeds the pending chain: flashblocks as the feed brings them, canonical blocks as the node seals them, and a clock that notices silence.
// What the feed brings goes out again through `onFlashblock`.

import type { Log } from '../../lib/log.ts'
import type { CanonicalBlock } from '../../pending/compare-with-sealed.ts'
import type { ForkRules } from '../../pending/fork-rules.ts'
import { EXECUTOR_IS_BEHIND, type Preconfirmations } from '../../pending/live-pending-chain.ts'
import { createOutgoingFeed, type Incoming } from '../../relay/outgoing-feed.ts'
import type { Feed, FeedEvent } from '../../upstream/feed/feed.ts'
import { canonicalBlocks } from '../../upstream/node/canonical-blocks.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import type { ThreadAccount } from './ledger-events.ts'
import { type Counting, countSettlement } from './status.ts'

export type UpstreamParts = {
  readonly preconfirmations: Preconfirmations
  readonly node: Node
  /** Null where none is followed. */
  readonly feed: Feed | null
  readonly rules: ForkRules
  readonly counting: Counting
  readonly account: ThreadAccount
  readonly log: Log
  /** Before the pending chain takes it. */
  readonly onCanonical: (block: NodeBlock) => void
  /** In the order of the feed, complete where that could be. */
  readonly onFlashblock: (incoming: Incoming) => void
  /** From the frame to the view that has it. */
  readonly onProcessed: (ms: number) => void
}

/** Until the signal ends. */
export async function followUpstreams(parts: UpstreamParts, signal: AbortSignal): Promise<void> {
  const { preconfirmations, feed, onFlashblock, onProcessed } = parts
  const outgoing = createOutgoingFeed({ send: onFlashblock })
  let processedMs: number | null = null
  const endListening = preconfirmations.on(({ states, trouble, snapshot }) => {
    if (trouble !== EXECUTOR_IS_BEHIND) outgoing.executed(trouble === null ? states : null)
    if (snapshot.advancedMs === processedMs || snapshot.advancedMs === null) return
    processedMs = snapshot.advancedMs
    onProcessed(Date.now() - processedMs)
  })
  const clock = setInterval(() => {
    const nowMs = Date.now()
    preconfirmations.take({ type: 'clock', nowMs })
    outgoing.tick(nowMs)
  }, CLOCK_MS)
  try {
    await Promise.all([
      followCanonical(parts, signal),
      parts.account.followTags(signal),
      feed === null ? undefined : followFeed(parts, feed.events(signal), outgoing.take),
    ])
  } finally {
    clearInterval(clock)
    endListening()
  }
}

async function followFeed(
  { preconfirmations, rules, counting: { counts }, account }: UpstreamParts,
  events: AsyncIterable<FeedEvent>,
  sendOn: ReturnType<typeof createOutgoingFeed>['take'],
): Promise<void> {
  let last: { payloadId: string; index: number } | null = null
  for await (const event of events) {
    if (event.type === 'end') continue
    const { flashblock, receivedMs } = event
    const { base, index, payloadId, transactions } = flashblock
    if (base !== null) rules.learn({ header: base, transactions })
    counts.flashblocks++
    const continues = index === 0 || last === null || (payloadId === last.payloadId && index === last.index + 1)
    if (!continues) counts.unexpectedOrder++
    last = { payloadId, index }
    account.flashblock(event)
    preconfirmations.take({ type: 'flashblock', flashblock, receivedMs })
    account.promised(receivedMs)
    sendOn(event, preconfirmations.chain())
  }
}

async function followCanonical(parts: UpstreamParts, signal: AbortSignal): Promise<void> {
  const { preconfirmations, node, rules, counting, account, log, onCanonical } = parts
  for await (const block of canonicalBlocks({ node, log }, signal)) {
    rules.learn(block)
    onCanonical(block)
    account.canonical(block)
    takeCanonical(preconfirmations, counting, block)
    const broken = counting.lastBroken
    if (broken?.canonicalHash === block.hash) {
      log.warn({ height: broken.height, differences: broken.differences }, 'a sealed block broke its preconfirmations')
    }
  }
}

function takeCanonical(preconfirmations: Preconfirmations, counting: Counting, block: CanonicalBlock): void {
  const before = preconfirmations.chain()
  preconfirmations.take({ type: 'canonical', block })
  const after = preconfirmations.chain()
  if (after === before) return
  counting.counts.canonicalBlocks++
  if (before.canonical !== null && block.header.number <= before.canonical.height) counting.counts.reorgs++
  const promised = before.blocks.find(({ header }) => header.number === block.header.number)
  const settlement = after.settlements.at(-1)
  if (promised !== undefined && settlement?.canonicalHash === block.hash)
    countSettlement(counting, promised, settlement)
}

/** How soon silence is noticed after it has become too long. */
const CLOCK_MS = 100
