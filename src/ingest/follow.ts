// The node's chain as a stream of events over the stored one. Whoever takes an event has stored it before taking the next: the stream asks
// the store where it stands, so it begins anew anywhere, after anything.
import type { Hex } from '../chain/hex.ts'
import type { Head } from '../upstream/node/heads.ts'
import type { NodeBlock } from '../upstream/node/node-block.ts'
import { BrokenChain } from '../upstream/node/trouble.ts'
import type { Node } from '../upstream/node.ts'
import { batched, DEEP_BATCH, USUAL_BATCH } from './batches.ts'
import { commonAncestor, type StoredHashes } from './common-ancestor.ts'

export type ChainEvent =
  /** They follow the last stored block, or are the first. */
  | { readonly type: 'blocks'; readonly blocks: readonly NodeBlock[] }
  /** They stand in place of everything stored from the height of the first of them on. */
  | { readonly type: 'reorg'; readonly blocks: readonly NodeBlock[] }
  /** The store has reached the head; null where the node does not tell. */
  | { readonly type: 'finalized'; readonly safe: number | null; readonly finalized: number | null }

export type FollowOptions = {
  readonly node: Node
  readonly stored: () => Promise<StoredHashes | undefined>
  /** First block of an index that is empty. */
  readonly startHeight: number
  readonly onHead: (head: Head) => void
}

export async function* follow(options: FollowOptions, signal: AbortSignal): AsyncGenerator<ChainEvent> {
  for await (const head of options.node.heads(signal)) {
    options.onHead(head)
    yield* eventsTo(head, options, signal)
    const { safe, finalized } = await options.node.tagHeights(signal)
    yield { type: 'finalized', safe, finalized }
  }
}

async function* eventsTo(
  head: Head,
  { node, stored, startHeight }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<ChainEvent> {
  const chain = await stored()
  if (chain === undefined) {
    yield* extensions(batched(node.blocks({ from: startHeight, to: head.height }, signal), USUAL_BATCH))
    return
  }
  // A head that is stored is that of a node that lags, or of one that went back: the next block will tell.
  if ((await chain.hashAt(head.height)) === head.hash) return
  const tipHash = await chain.hashAt(chain.lastHeight)
  if (head.height > chain.lastHeight) {
    const coming = batched(node.blocks({ from: chain.lastHeight + 1, to: head.height }, signal), USUAL_BATCH)
    const { value: first } = await coming.next()
    if (first?.[0]?.header.parentHash === tipHash) {
      yield { type: 'blocks', blocks: first! }
      yield* extensions(coming)
      return
    }
    await coming.return(undefined)
  }
  const ancestor = await commonAncestor({ node, stored: chain, signal }, Math.min(chain.lastHeight, head.height))
  yield* replacements(node, { ancestor, ancestorHash: await chain.hashAt(ancestor), to: head.height }, signal)
}

async function* extensions(batches: AsyncIterable<readonly NodeBlock[]>): AsyncGenerator<ChainEvent> {
  for await (const blocks of batches) yield { type: 'blocks', blocks }
}

/** The first event takes the place of what goes; a new branch up to DEEP_BATCH long comes with it at once. */
async function* replacements(
  node: Node,
  { ancestor, ancestorHash, to }: { ancestor: number; ancestorHash: Hex | undefined; to: number },
  signal: AbortSignal,
): AsyncGenerator<ChainEvent> {
  let type: 'reorg' | 'blocks' = 'reorg'
  for await (const blocks of batched(node.blocks({ from: ancestor + 1, to }, signal), DEEP_BATCH)) {
    if (type === 'reorg' && blocks[0]!.header.parentHash !== ancestorHash) {
      throw new BrokenChain(ancestor + 1, 'does not follow the block that was to be its parent')
    }
    yield { type, blocks }
    type = 'blocks'
  }
}
