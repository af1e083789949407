// Transactions whose calls are not all known.
import type { Queries } from '../engine/database.ts'
import { heightOf, indexOf } from '../schema/position.ts'
import { WHOLE_BLOCK } from '../schema/rows.ts'
import { traceGaps } from '../schema/tables.ts'
import { listStatement, rowsInList } from './page.ts'

/** By the primary key. */
const GAPS = listStatement((marks) => `select ${traceGaps.select()} from trace_gaps where height in (${marks})`)

/** Those of the transactions at these positions whose internal transactions are not all known, with the reason. */
export async function traceGapsAt(queries: Queries, positions: readonly number[]): Promise<Map<number, string>> {
  const heights = [...new Set(positions.map(heightOf))]
  const rows = (await rowsInList(queries, GAPS, heights)).map((row) => traceGaps.decode(row))
  const reasonAt = (pos: number) =>
    rows.find(
      ({ height, transactionIndex }) =>
        height === heightOf(pos) && (transactionIndex === WHOLE_BLOCK || transactionIndex === indexOf(pos)),
    )?.reason
  return new Map(
    positions.flatMap((pos) => {
      const reason = reasonAt(pos)
      return reason === undefined ? [] : [[pos, reason] as const]
    }),
  )
}
