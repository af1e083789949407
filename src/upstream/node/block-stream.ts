// A range of blocks in order, several requests ahead of whoever takes them.
import type { BlockSource } from './block-source.ts'
import { BrokenChain } from './failures.ts'
import type { NodeBlock } from './node-block.ts'

export async function* streamBlocks(
  source: BlockSource,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
): AsyncGenerator<NodeBlock> {
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const ahead: Promise<NodeBlock[]>[] = []
  let next = from
  let before: NodeBlock | undefined
  try {
    while (next <= to || ahead.length > 0) {
      while (next <= to && ahead.length < source.requestsAhead()) {
        const last = Math.min(to, next + source.blocksPerRequest() - 1)
        const part = source.whole(next, last, either)
        // Taken later, in its turn: until then nobody listens to its failure.
        part.catch(() => undefined)
        ahead.push(part)
        next = last + 1
      }
      for (const block of await ahead.shift()!) {
        const linked = before === undefined ? block : await linkedTo(before, block, source, either)
        yield linked
        before = linked
      }
    }
  } finally {
    ending.abort()
  }
}

/** A block that does not follow is asked for again before the chain is said to have changed: it may have been a lie. */
async function linkedTo(
  before: NodeBlock,
  block: NodeBlock,
  source: BlockSource,
  signal: AbortSignal,
): Promise<NodeBlock> {
  let candidate = block
  for (let attempts = 1; candidate.header.parentHash !== before.hash; attempts++) {
    const height = candidate.header.number
    if (attempts > LINK_ATTEMPTS) throw new BrokenChain(height, `does not follow ${before.hash}`)
    const [again] = await source.whole(height, height, signal)
    candidate = again!
  }
  return candidate
}

const LINK_ATTEMPTS = 2
