// Blocks from the pool of URLs. A block that fails its checks is asked for again, at another URL if there is one.

import { HeaderMismatch } from './check-block.ts'
import type { Endpoint } from './endpoint.ts'
import { BadAnswer, BrokenChain } from './failures.ts'
import { fetchBlocks, startFetch } from './fetch-blocks.ts'
import type { HeaderShapes } from './header-shapes.ts'
import { inParts } from './json-rpc.ts'
import type { NodeBlock } from './node-block.ts'
import { attempt, choose, type Pool } from './pool.ts'

export type BlockSource = {
  /** Null where no URL has it. */
  one(height: number, signal: AbortSignal): Promise<NodeBlock | null>
  /** All of a range, or `BrokenChain` where one is not there. */
  whole(from: number, to: number, signal: AbortSignal): Promise<NodeBlock[]>
  /** How many blocks fit into one exchange now, and how many such exchanges are worth having under way. */
  blocksPerRequest(): number
  requestsAhead(): number
}

export type BlockSourceParts = {
  readonly pool: Pool
  readonly shapes: HeaderShapes
  /** Senders recovered in each block of a range; of a single block all are. */
  readonly senderSample: number
}

export function createBlockSource({ pool, shapes, senderSample }: BlockSourceParts): BlockSource {
  const fetchAll = async (
    heights: readonly number[],
    senderSample: number,
    signal: AbortSignal,
  ): Promise<(NodeBlock | null)[]> => {
    const fetch = startFetch()
    let mismatches = 0
    const absences = new Map<Endpoint, number>()
    await attempt(pool, signal, async (endpoint, progressed) => {
      const missing = heights.filter((height) => !fetch.found.get(height))
      const parts = inParts(missing, blocksPerRequest(endpoint)).map(async (part) => {
        try {
          await fetchBlocks({ endpoint, shapes, senderSample, signal }, part, fetch)
        } finally {
          if (part.some((height) => fetch.found.get(height))) progressed()
        }
      })
      const failed = (await Promise.allSettled(parts)).find((part) => part.status === 'rejected')
      if (failed?.reason instanceof HeaderMismatch && ++mismatches >= MISMATCHES_TO_EXAMINE) {
        await shapes.examine(failed.reason, endpoint, signal)
      }
      if (failed !== undefined) throw failed.reason
      if (!heights.some((height) => fetch.found.get(height) === null)) return
      // A URL that lags behind does not have a block yet that another one reported, so all URLs must say that it is absent.
      absences.set(endpoint, (absences.get(endpoint) ?? 0) + 1)
      const others = pool.endpoints.filter((other) => !absences.has(other) && other.restMs === 0)
      const total = absences.values().reduce((sum, count) => sum + count, 0)
      if (others.length > 0 || total < ABSENCES_TO_BELIEVE) throw new BadAnswer('a block is not there')
    })
    return heights.map((height) => fetch.found.get(height) ?? null)
  }

  return {
    one: async (height, signal) => (await fetchAll([height], Infinity, signal))[0]!,
    async whole(from, to, signal) {
      const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index)
      return (await fetchAll(heights, senderSample, signal)).map((block, index) => {
        if (block === null) throw new BrokenChain(from + index, 'is not there')
        return block
      })
    },
    blocksPerRequest: () => blocksPerRequest(choose(pool)),
    requestsAhead: () => Math.ceil(choose(pool).pace.concurrency) + 1,
  }
}

function blocksPerRequest({ pace }: Endpoint): number {
  return Math.max(1, Math.floor(pace.batch / CALLS_A_BLOCK))
}

const MISMATCHES_TO_EXAMINE = 3
const ABSENCES_TO_BELIEVE = 2
/** The block, its receipts and its traces. */
const CALLS_A_BLOCK = 3

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
        // The promise is awaited later, in order; until then its failure must not count as unhandled.
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
