// The node's chain as a stream of events over the stored one. Whoever takes an event has stored it before taking the next: the stream asks
// the store where it stands, so it begins anew anywhere, after anything.
import type { Hex } from '../chain/bytes/hex.ts'
import { BrokenChain } from '../upstream/node/failures.ts'
import type { Head } from '../upstream/node/heads.ts'
import type { Node } from '../upstream/node/node.ts'
import type { NodeBlock } from '../upstream/node/node-block.ts'
import { batched, DEEP_BATCH, USUAL_BATCH } from './batches.ts'
import { commonAncestor, ReorgTooDeep, type StoredHashes } from './common-ancestor.ts'

export type ChainEvent =
  /** They follow the highest stored block, or begin a range of their own. `since` is the first height of their range. */
  | { readonly type: 'blocks'; readonly since: number; readonly blocks: readonly NodeBlock[] }
  /** They stand in place of everything stored from the height of the first of them on. */
  | { readonly type: 'reorg'; readonly since: number; readonly blocks: readonly NodeBlock[] }
  /** The node's chain has nothing of what is stored from this height on; what is stored below a gap may yet be of it. */
  | { readonly type: 'stray'; readonly fromHeight: number }
  /** The store has reached the head; null where the node does not tell. */
  | { readonly type: 'finalized'; readonly safe: number | null; readonly finalized: number | null }

export type FollowOptions = {
  readonly node: Node
  readonly stored: () => Promise<StoredHashes | undefined>
  /** First block of the index. */
  readonly startHeight: number
  /** Further behind than this, the head is followed at once and the gap left to be filled. */
  readonly mostBehind: number
  readonly onHead: (head: Head) => void
}

/** A range that begins at the head begins so far below it: few reorgs go deeper, and every node still has the state there. */
const BELOW_HEAD = 32

export async function* follow(options: FollowOptions, signal: AbortSignal): AsyncGenerator<ChainEvent> {
  for await (const head of options.node.heads(signal)) {
    options.onHead(head)
    yield* eventsTo(head, options, signal)
    const { safe, finalized } = await options.node.tagHeights(signal)
    yield { type: 'finalized', safe, finalized }
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
  // A head that is stored is that of a node that lags, or of one that went back: the next block will tell.
  if ((await chain.hashAt(head.height)) === head.hash) return
  const since = chain.firstHeight
  const tipHash = await chain.hashAt(chain.lastHeight)
  if (head.height > chain.lastHeight) {
    const coming = batched(node.blocks({ from: chain.lastHeight + 1, to: head.height }, signal), USUAL_BATCH)
    const { value: first } = await coming.next()
    if (first?.[0]?.header.parentHash === tipHash) {
      yield { type: 'blocks', since, blocks: first! }
      yield* extensions(coming, since)
      return
    }
    await coming.return(undefined)
  }
  const ancestor = await ancestorIn(chain, options, Math.min(chain.lastHeight, head.height), signal)
  if (ancestor === null) yield { type: 'stray', fromHeight: since }
  else
    yield* replacements(node, { since, ancestor, ancestorHash: await chain.hashAt(ancestor), to: head.height }, signal)
}

/** Null where the range has none, but the index is to hold more than this range. */
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

/** The first event takes the place of what goes; a new branch up to DEEP_BATCH long comes with it at once. */
async function* replacements(
  node: Node,
  { since, ancestor, ancestorHash, to }: Branch,
  signal: AbortSignal,
): AsyncGenerator<ChainEvent> {
  let type: 'reorg' | 'blocks' = 'reorg'
  for await (const blocks of batched(node.blocks({ from: ancestor + 1, to }, signal), DEEP_BATCH)) {
    if (type === 'reorg' && blocks[0]!.header.parentHash !== ancestorHash) {
      throw new BrokenChain(ancestor + 1, 'does not follow the block that was to be its parent')
    }
    yield { type, since, blocks }
    type = 'blocks'
  }
}
