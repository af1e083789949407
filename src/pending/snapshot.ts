// The pending chain as its readers see it: one moment, whole, that never changes under them.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PendingBlock } from './pending-block.ts'
import type { CanonicalHead, PendingChain } from './pending-chain.ts'

export type Snapshot = {
  readonly canonical: CanonicalHead | null
  /** Above the canonical head, lowest first; empty where `pending` is to answer `latest`. */
  readonly blocks: readonly PendingBlock[]
  /** The last of them. */
  readonly tip: PendingBlock | null
  readonly isStale: boolean
  /** When it last became newer; null before the first flashblock. */
  readonly advancedMs: number | null
  blockByNumber(height: number): PendingBlock | null
  /** Any flashblock of the last blocks by its hash, as the block was then. */
  blockByHash(hash: Hex): PendingBlock | null
  /** In a block that is not canonical yet. */
  transaction(hash: Hex): PendingLocation | null
}

export type PendingLocation = { readonly block: PendingBlock; readonly index: number }

export function snapshotOf(chain: PendingChain): Snapshot {
  const blocks = chain.isStale ? [] : chain.blocks
  const versions = once(() => versionsByHash(chain))
  const locations = once(() => locationsByHash(blocks))
  return Object.freeze({
    canonical: chain.canonical,
    blocks,
    tip: blocks.at(-1) ?? null,
    isStale: chain.isStale,
    advancedMs: chain.pace.advancedMs,
    blockByNumber: (height: number) => blocks.find(({ header }) => header.number === height) ?? null,
    blockByHash: (hash: Hex) => versions().get(hash) ?? null,
    transaction: (hash: Hex) => locations().get(hash) ?? null,
  })
}

function versionsByHash({ archive, sequences }: PendingChain): ReadonlyMap<Hex, PendingBlock> {
  const versions = [...archive, ...sequences.flatMap((sequence) => sequence.versions)]
  return new Map(versions.map((version) => [version.hash, version]))
}

function locationsByHash(blocks: readonly PendingBlock[]): ReadonlyMap<Hex, PendingLocation> {
  return new Map(
    blocks.flatMap((block) =>
      block.transactions.map(({ recovered }, index) => [recovered.hash, { block, index }] as const),
    ),
  )
}

/** The maps are built only when somebody reads them, because most snapshots are replaced unread. */
function once<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}
