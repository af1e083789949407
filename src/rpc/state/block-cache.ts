// Blocks that are known in full without asking the node, and the cache of what is computed from them.

import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { JsonText } from '../../lib/json/json-rpc.ts'
import type { PendingLocation, PendingView } from '../../pending/live-pending-chain.ts'
import { type PendingBlock, receiptsOf } from '../../pending/pending-block.ts'

/** Each flashblock makes a new `PendingBlock` that never changes, so the object itself is the key. */
export type BlockCache = LRUCache<PendingBlock, CachedBlock>

/** Every field is computed when it is first needed. */
export type CachedBlock = {
  isComplete?: boolean
  indexByHash?: ReadonlyMap<Hex, number>
  withHashes?: JsonText
  withTransactions?: JsonText
  receipts?: JsonText
}

/** More than the canonical blocks and flashblocks that the pending chain holds at one time. */
const MAX_CACHED_BLOCKS = 512

export function createBlockCache(): BlockCache {
  return new LRUCache({ max: MAX_CACHED_BLOCKS })
}

export function cachedBlock(cache: BlockCache, block: PendingBlock): CachedBlock {
  const known = cache.get(block)
  if (known !== undefined) return known
  const empty: CachedBlock = {}
  cache.set(block, empty)
  return empty
}

export function isCanonical({ chain }: PendingView, hash: Hex): boolean {
  return chain.heads.some((head) => head.hash === hash)
}

/** The canonical block of this hash or height; null unless its flashblocks contained all of it. */
export function canonicalBlock(
  cache: BlockCache,
  { chain, snapshot }: PendingView,
  hashOrHeight: Hex | number,
): PendingBlock | null {
  const head = chain.heads.findLast(({ hash, height }) => hash === hashOrHeight || height === hashOrHeight)
  const block = head === undefined ? null : snapshot.blockByHash(head.hash)
  return block !== null && isComplete(cache, block) ? block : null
}

/** Searches the preconfirmed blocks and the canonical blocks that are known in full. */
export function findTransaction(cache: BlockCache, view: PendingView, hash: Hex): PendingLocation | null {
  const pending = view.snapshot.transaction(hash)
  if (pending !== null) return pending
  for (const head of view.chain.heads.toReversed()) {
    const block = view.snapshot.blockByHash(head.hash)
    const index = block === null ? undefined : indexByHash(cache, block).get(hash)
    if (index !== undefined) return isComplete(cache, block!) ? { block: block!, index } : null
  }
  return null
}

function isComplete(cache: BlockCache, block: PendingBlock): boolean {
  const cached = cachedBlock(cache, block)
  cached.isComplete ??= block.isProven && receiptsOf(block) !== null
  return cached.isComplete
}

function indexByHash(cache: BlockCache, block: PendingBlock): ReadonlyMap<Hex, number> {
  const cached = cachedBlock(cache, block)
  cached.indexByHash ??= new Map(block.transactions.map(({ recovered }, index) => [recovered.hash, index]))
  return cached.indexByHash
}
