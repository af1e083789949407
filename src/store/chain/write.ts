// The one way into the index. One transaction: a reader sees all of it or nothing, and so does whoever comes after a crash.

import type { Database } from '../engine/database.ts'
import type { TagHeights } from '../read/head.ts'
import type { BlockRows } from '../schema/rows.ts'
import { appendBlocks } from './append.ts'
import { incrementChainVersion, setChainNote } from './chain-notes.ts'
import { createPartitions } from './partitions.ts'
import { rewind } from './rewind.ts'

export type ChainChange = {
  /** Lowest height that is dropped, with everything above it, before the blocks are written. */
  readonly rewindTo?: number | undefined
  /** Each height once, in any order; none of them is stored already. */
  readonly blocks: readonly BlockRows[]
}

export function writeChain(database: Database, { rewindTo, blocks }: ChainChange): Promise<void> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    if (rewindTo !== undefined) await rewind(queries, rewindTo)
    if (blocks.length > 0) {
      if (database.engine === 'postgres') await createPartitions(queries, blocks)
      await appendBlocks(queries, blocks)
    }
  })
}

/** Heights of the node's tags; null where it has none. */
export function writeTagHeights(database: Database, { safe, finalized }: TagHeights): Promise<void> {
  return database.transaction(async (queries) => {
    await setChainNote(queries, 'safe', safe?.toString() ?? '')
    await setChainNote(queries, 'finalized', finalized?.toString() ?? '')
    await incrementChainVersion(queries)
  })
}

/** Something that the indexer wants to find again after a restart. */
export function noteChain(database: Database, name: string, value: string): Promise<void> {
  return setChainNote(database, name, value)
}
