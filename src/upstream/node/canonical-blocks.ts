// The node's chain from its present head on, block by block: each follows the one before, or, after a reorg, replaces everything from its
// height on. Only the last hashes are known; a reorg that goes further back is jumped over.
import type { Hex } from '../../chain/bytes/hex.ts'
import { backoffMs, sleep } from '../../lib/async/wait.ts'
import type { Log } from '../../lib/log.ts'
import { BrokenChain, NodeUnavailable } from './failures.ts'
import type { Head } from './heads.ts'
import type { Node } from './node.ts'
import type { NodeBlock } from './node-block.ts'

export type CanonicalSource = { readonly node: Pick<Node, 'heads' | 'block' | 'blocks'>; readonly log: Log }

/** Until the signal ends. Never throws for what the node does. */
export async function* canonicalBlocks({ node, log }: CanonicalSource, signal: AbortSignal): AsyncGenerator<NodeBlock> {
  let known: readonly KnownBlock[] = []
  for await (const head of node.heads(signal)) {
    // A chain that changes while it is read is read again; the next head would come too late where this was the last for a while.
    for (let attempts = 0; attempts < ATTEMPTS && !signal.aborted; attempts++) {
      try {
        for await (const block of blocksTo(node, head, known, signal)) {
          known = knownAfter(known, block)
          yield block
        }
        break
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof BrokenChain) && !(error instanceof NodeUnavailable)) throw error
        log.warn({ reason: error.message }, 'the canonical chain is read again')
        await sleep(backoffMs(attempts), signal).catch(() => undefined)
      }
    }
  }
}

type KnownBlock = { readonly height: number; readonly hash: Hex }

async function* blocksTo(
  node: CanonicalSource['node'],
  head: Head,
  known: readonly KnownBlock[],
  signal: AbortSignal,
): AsyncGenerator<NodeBlock> {
  // A head that is known is that of a URL that lags.
  if (known.some(({ hash }) => hash === head.hash)) return
  const last = known.at(-1)
  if (last === undefined || head.height > last.height + MAX_KNOWN_BLOCKS || head.height < known[0]!.height) {
    yield* node.blocks({ from: head.height, to: head.height }, signal)
    return
  }
  const hashAt = (height: number) => known.find((each) => each.height === height)?.hash
  // Downwards until a block stands on one that is known, then upwards.
  const branch: NodeBlock[] = []
  for (let height = Math.min(head.height, last.height + 1); ; height--) {
    const block = await node.block(height, signal)
    if (block === null) throw new BrokenChain(height, 'is not there')
    branch.unshift(block)
    const below = hashAt(height - 1)
    if (below === undefined || below === block.header.parentHash) break
  }
  yield* branch
  const next = branch.at(-1)!.header.number + 1
  if (next > head.height) return
  for await (const block of node.blocks({ from: next, to: head.height }, signal)) {
    if (block.header.number === next && block.header.parentHash !== branch.at(-1)!.hash) {
      throw new BrokenChain(next, `does not follow ${branch.at(-1)!.hash}`)
    }
    yield block
  }
}

function knownAfter(known: readonly KnownBlock[], { hash, header }: NodeBlock): readonly KnownBlock[] {
  return [...known.filter(({ height }) => height < header.number), { height: header.number, hash }].slice(
    -MAX_KNOWN_BLOCKS,
  )
}

/** Blocks back to which a reorg is followed step by step. */
const MAX_KNOWN_BLOCKS = 64
const ATTEMPTS = 5
