// The only way into the index. Each change is one transaction: a reader, and the next start after a crash, finds all of it or nothing.
import type { Database, Queries } from '../engine/database.ts'
import type { TagHeights } from '../read/chain-state.ts'
import { positionOf } from '../schema/position.ts'
import type { BlockRows } from '../schema/rows.ts'
import { activity, internals, logs, transactions, transfers } from '../schema/tables.ts'
import { appendBlocks } from './append.ts'
import { incrementChainVersion, setChainNote } from './chain-notes.ts'
import { rewind } from './reorg.ts'

export type ChainChange = {
  /** Everything from this height on is deleted before the blocks are written. */
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

/** A height is null where the node does not have that tag. */
export function writeTagHeights(database: Database, { safe, finalized }: TagHeights): Promise<void> {
  return database.transaction(async (queries) => {
    await setChainNote(queries, 'safe', safe?.toString() ?? '')
    await setChainNote(queries, 'finalized', finalized?.toString() ?? '')
    await incrementChainVersion(queries)
  })
}

/** At one block per second a partition is full after seven weeks. Reads get slower beyond 16 partitions, which is after two years. */
const BLOCKS_PER_PARTITION = 2 ** 22

/**
 * PostgreSQL has the large tables in partitions by height, so that the indexes that the head writes to are small and stay in memory.
 * A partition is created with the first block of its range.
 */
async function createPartitions(queries: Queries, blocks: readonly BlockRows[]): Promise<void> {
  const missing = new Set(blocks.map(({ block }) => Math.floor(block.height / BLOCKS_PER_PARTITION)))
  const rows = await queries.all<{ name: string }>(
    `select relname as name
    from pg_class
    where relname like 'transactions\\_p%' and relkind = 'r'`,
  )
  for (const { name } of rows) missing.delete(Number(name.slice('transactions_p'.length)))
  for (const number of missing) {
    const first = positionOf(number * BLOCKS_PER_PARTITION, 0)
    const end = positionOf((number + 1) * BLOCKS_PER_PARTITION, 0)
    for (const { name } of [transactions, logs, transfers, internals, activity]) {
      await queries.run(
        `create table ${name}_p${number}
        partition of ${name} for values from (${first}) to (${end})`,
      )
    }
  }
}
