// Blocks and transactions whose calls are not all known.
import type { Queries } from '../engine/database.ts'
import { type HeightRange, heightOf, indexOf } from '../schema/position.ts'
import { WHOLE_BLOCK } from '../schema/rows.ts'
import { traceGaps } from '../schema/tables.ts'
import type { ChainReader } from './chain-reader.ts'
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

/** Whether there are such blocks between two heights, ends included. By the primary key. */
export async function hasTraceGaps(queries: Queries, { from = 0, to = NO_LIMIT }: HeightRange): Promise<boolean> {
  const rows = await queries.all(
    `select height
    from trace_gaps
    where height >= $1 and height <= $2
    limit 1`,
    [from, to],
  )
  return rows.length > 0
}

/** Whether all internal transactions between two heights are known, and as this version of the program derives them. */
export async function areCallsComplete(reader: ChainReader, range: HeightRange): Promise<boolean> {
  return !reader.state.outdated.includes('internal transactions') && !(await hasTraceGaps(reader, range))
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER
