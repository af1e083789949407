// PostgreSQL keeps the large tables in pieces by height, so that the head writes into small, cached indexes. A piece is made
// when the first block of its range comes.
import type { Queries } from '../engine/database.ts'
import { positionOf } from '../schema/position.ts'
import type { BlockRows } from '../schema/rows.ts'
import { activity, internals, logs, transactions, transfers } from '../schema/tables.ts'

/** A chain with a block a second fills one in seven weeks and sixteen, beyond which reads suffer, in two years. */
const BLOCKS_A_PARTITION = 2 ** 22

export async function createPartitions(queries: Queries, blocks: readonly BlockRows[]): Promise<void> {
  const wanted = new Set(blocks.map(({ block }) => Math.floor(block.height / BLOCKS_A_PARTITION)))
  const rows = await queries.all<{ name: string }>(
    "select relname as name from pg_class where relname like 'transactions\\_p%' and relkind = 'r'",
  )
  for (const { name } of rows) wanted.delete(Number(name.slice('transactions_p'.length)))
  for (const number of wanted) {
    const first = positionOf(number * BLOCKS_A_PARTITION, 0)
    const end = positionOf((number + 1) * BLOCKS_A_PARTITION, 0)
    for (const { name } of [transactions, logs, transfers, internals, activity]) {
      await queries.run(`create table ${name}_p${number} partition of ${name} for values from (${first}) to (${end})`)
    }
  }
}
