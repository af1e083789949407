// The gas that a block had used when a transaction ended, as its receipt says it. It is not stored, but follows from the rows of the block.
import type { Reader } from './chain-reader.ts'
import { listStatement, rowsInList } from './page.ts'

/** By the primary key: from the first transaction of the block to this one. */
const CUMULATIVE = listStatement(
  (marks) => `
    select t.pos as pos, (
      select sum(b.gas_used)
      from transactions b
      where b.pos between ((t.pos >> 20) << 20) and t.pos
    ) as gas
    from transactions t
    where t.pos in (${marks})`,
)

/** By position; transactions that are not stored are left out. */
export async function cumulativeGas(
  reader: Reader,
  positions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await rowsInList(reader, CUMULATIVE, positions)
  return new Map(rows.map(({ pos, gas }) => [Number(pos), Number(gas)]))
}
