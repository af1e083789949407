// Backfill: the blocks that are missing below the stored head, as a stream of events. The highest gap comes first, each gap from its lower
// end up. The consumer must store an event before it takes the next one. The stream ends when nothing is missing.
import { type Gap, gapsIn } from '../store/chain/ranges.ts'
import type { StoredRange } from '../store/schema/tables.ts'
import type { Node } from '../upstream/node/node.ts'
import type { NodeBlock } from '../upstream/node/node-block.ts'
import { commonAncestor, type StoredHashes } from './common-ancestor.ts'
import { batched, USUAL_BATCH } from './derive/batches.ts'

export type BackfillEvent =
  /** They follow the block that is stored below them, if there is one; `since` is the first height of their range. */
  | { readonly type: 'blocks'; readonly since: number; readonly blocks: readonly NodeBlock[] }
  /** Blocks stored from this height on are not in the node's chain. */
  | { readonly type: 'orphaned'; readonly fromHeight: number }

export type BackfillOptions = {
  readonly node: Node
  readonly ranges: () => Promise<StoredRange[]>
  readonly hashesOf: (range: StoredRange) => StoredHashes
  readonly parentHashAt: (height: number) => Promise<string | undefined>
  /** First block of the index. */
  readonly startHeight: number
}

export async function* backfill(options: BackfillOptions, signal: AbortSignal): AsyncGenerator<BackfillEvent> {
  for (;;) {
    const ranges = await options.ranges()
    const gap = gapsIn(ranges, options.startHeight).at(-1)
    if (gap === undefined || signal.aborted) return
    const below = ranges.find(({ lastHeight }) => lastHeight === gap.from - 1)
    yield* eventsIn(gap, below && options.hashesOf(below), options, signal)
  }
}

async function* eventsIn(
  gap: Gap,
  below: StoredHashes | undefined,
  { node, parentHashAt }: BackfillOptions,
  signal: AbortSignal,
): AsyncGenerator<BackfillEvent> {
  for await (const blocks of batched(node.blocks(gap, signal), USUAL_BATCH)) {
    const first = blocks[0]!
    if (below !== undefined && first.header.number === gap.from) {
      if (first.header.parentHash !== (await below.hashAt(below.lastHeight))) {
        const ancestor = await commonAncestor({ node, stored: below, signal }, below.lastHeight)
        yield { type: 'orphaned', fromHeight: ancestor + 1 }
        return
      }
    }
    const last = blocks.at(-1)!
    if (last.header.number === gap.to && last.hash !== (await parentHashAt(gap.to + 1))) {
      yield { type: 'orphaned', fromHeight: gap.to + 1 }
      return
    }
    yield { type: 'blocks', since: below?.firstHeight ?? gap.from, blocks }
  }
}
