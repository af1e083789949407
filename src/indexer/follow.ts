// Follows the head: the node's chain as a stream of changes to the stored one. The consumer must store an event before it takes the next
// one, because the stream reads from the store how far it is. So it can start again at any point.
import type { Hex } from '../chain/bytes/hex.ts'
import { BrokenChain } from '../upstream/node/failures.ts'
import type { Head } from '../upstream/node/heads.ts'
import type { Node } from '../upstream/node/node.ts'
import type { NodeBlock } from '../upstream/node/node-block.ts'
import { commonAncestor, ReorgTooDeep, type StoredHashes } from './common-ancestor.ts'
import { batched, DEEP_BATCH, USUAL_BATCH } from './derive/batches.ts'

export type ChainEvent =
  /** They follow the highest stored block, or begin a range of their own. `since` is the first height of their range. */
  | { readonly type: 'blocks'; readonly since: number; readonly blocks: readonly NodeBlock[] }
  /** They replace everything stored from the height of the first of them on. */
  | { readonly type: 'reorg'; readonly since: number; readonly blocks: readonly NodeBlock[] }
  /** Blocks stored from this height on are not in the node's chain; those below a gap may be. */
  | { readonly type: 'orphaned'; readonly fromHeight: number }
  /** The store has reached the head. A tag is null where the node does not have it. */
  | { readonly type: 'atHead'; readonly safe: number | null; readonly finalized: number | null }

export type FollowOptions = {
  readonly node: Node
  readonly stored: () => Promise<StoredHashes | undefined>
  /** First block of the index. */
  readonly startHeight: number
  /** When the head is further ahead than this, the head is followed at once and the gap is left to the backfill. */
  readonly mostBehind: number
  readonly onHead: (head: Head) => void
}

/** A range that begins at the head begins this far below it: few reorgs go deeper, and every node still has the state there. */
const BELOW_HEAD = 32

export async function* follow(options: FollowOptions, signal: AbortSignal): AsyncGenerator<ChainEvent> {
  for await (const head of options.node.heads(signal)) {
    options.onHead(head)
    // Asked for beside the blocks: on a chain with several blocks a second, every round trip counts.
    const tagHeights = options.node.tagHeights(signal)
    tagHeights.catch(() => undefined)
    yield* eventsTo(head, options, signal)
    const { safe, finalized } = await tagHeights
    yield { type: 'atHead', safe, finalized }
  }
}

async function* eventsTo(head: Head, options: FollowOptions, signal: AbortSignal): AsyncGenerator<ChainEvent> {
  const { node, startHeight, mostBehind } = options
  const chain = await options.stored()
  const next = chain === undefined ? startHeight : chain.lastHeight + 1
  if (chain === undefined || head.height - next > mostBehind) {
    const first = head.height - next > mostBehind ? Math.max(next, head.height - BELOW_HEAD) : next
    yield* extensions(batched(node.blocks({ from: first, to: head.height }, signal), USUAL_BATCH), first)
    return
  }
  // The head is stored already: the node lags, or it went back in a reorg, and then its next block differs from the stored one.
  if ((await chain.hashAt(head.height)) === head.hash) return
  const since = chain.firstHeight
  const tipHash = await chain.hashAt(chain.lastHeight)
  if (head.height > chain.lastHeight) {
    const batches = batched(node.blocks({ from: chain.lastHeight + 1, to: head.height }, signal), USUAL_BATCH)
    const { value: first } = await batches.next()
    if (first?.[0]?.header.parentHash === tipHash) {
      yield { type: 'blocks', since, blocks: first! }
      yield* extensions(batches, since)
      return
    }
    await batches.return(undefined)
  }
  const ancestor = await ancestorIn(chain, options, Math.min(chain.lastHeight, head.height), signal)
  if (ancestor === null) yield { type: 'orphaned', fromHeight: since }
  else
    yield* replacements(node, { since, ancestor, ancestorHash: await chain.hashAt(ancestor), to: head.height }, signal)
}

/** Null where this range has no common ancestor but a lower range may have one. */
async function ancestorIn(
  chain: StoredHashes,
  { node, startHeight }: FollowOptions,
  below: number,
  signal: AbortSignal,
): Promise<number | null> {
  if (below < chain.firstHeight) return null
  try {
    return await commonAncestor({ node, stored: chain, signal }, below)
  } catch (error) {
    if (error instanceof ReorgTooDeep && chain.firstHeight > startHeight) return null
    throw error
  }
}

async function* extensions(batches: AsyncIterable<readonly NodeBlock[]>, since: number): AsyncGenerator<ChainEvent> {
  for await (const blocks of batches) yield { type: 'blocks', since, blocks }
}

type Branch = { since: number; ancestor: number; ancestorHash: Hex | undefined; to: number }

/** The first event replaces the old branch; up to DEEP_BATCH it holds the whole new branch, so that readers see one change. */
async function* replacements(
  node: Node,
  { since, ancestor, ancestorHash, to }: Branch,
  signal: AbortSignal,
): AsyncGenerator<ChainEvent> {
  let type: 'reorg' | 'blocks' = 'reorg'
  for await (const blocks of batched(node.blocks({ from: ancestor + 1, to }, signal), DEEP_BATCH)) {
    if (type === 'reorg' && blocks[0]!.header.parentHash !== ancestorHash) {
      throw new BrokenChain(ancestor + 1, 'does not follow the common ancestor')
    }
    yield { type, since, blocks }
    type = 'blocks'
  }
}
