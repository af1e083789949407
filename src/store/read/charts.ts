// Sums over periods of time, for charts. Each statement reads the blocks (or the senders) of a bounded range.
import type { Queries } from '../engine/database.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import { blocks, transactions } from '../schema/tables.ts'

export type BlockSums = {
  /** Number of the period since 1970, counted in periods. */
  readonly period: number
  readonly blocks: number
  readonly firstHeight: number
  readonly lastHeight: number
  readonly transactions: number
  readonly gasUsed: number
  readonly gasLimit: number
}

/** Of the blocks from `fromMs` up to `toMs` (not included); periods without a block are left out. Index blocks_time. */
export function blockSums(
  queries: Queries,
  { fromMs, toMs, periodMs }: { fromMs: number; toMs: number; periodMs: number },
): Promise<BlockSums[]> {
  return queries.all<BlockSums>(
    `select timestamp_ms / ${Math.trunc(periodMs)} as period,
       count(*) as blocks,
       min(height) as "firstHeight",
       max(height) as "lastHeight",
       cast(sum(transaction_count) as bigint) as transactions,
       cast(sum(gas_used) as bigint) as "gasUsed",
       cast(sum(gas_limit) as bigint) as "gasLimit"
     from blocks
     where timestamp_ms >= $1 and timestamp_ms < $2
     group by timestamp_ms / ${Math.trunc(periodMs)}
     order by 1
     limit ${Math.ceil((toMs - fromMs) / periodMs) + 1}`,
    [fromMs, toMs],
  )
}

/** How many addresses sent a transaction. By the primary key. */
export async function countSenders(queries: Queries, range: HeightRange): Promise<number> {
  const { first, last } = positionsWithin(range)
  const [row] = await queries.all<{ count: number }>(
    'select count(distinct sender) as count from transactions where pos between $1 and $2',
    [first, last],
  )
  return row!.count
}

/** By the primary key. */
export async function baseFeesAt(queries: Queries, heights: readonly number[]): Promise<Map<number, bigint | null>> {
  const fields = ['height', 'baseFeePerGas'] as const
  const rows = await queries.lookup(
    blocks,
    blocks.select(fields),
    ['height'],
    heights.map((height) => [height]),
  )
  return new Map(rows.map((row) => blocks.decode(row, fields)).map((row) => [row.height, row.baseFeePerGas]))
}

/** What the newest transactions paid for gas. By the primary key. */
export async function latestGasPrices(
  queries: Queries,
  limit: number,
): Promise<{ readonly pos: number; readonly gasPrice: bigint }[]> {
  const fields = ['pos', 'gasPrice'] as const
  const rows = await queries.all(
    `select ${transactions.select(fields)}
     from transactions
     order by pos desc
     limit ${Math.trunc(limit)}`,
  )
  return rows.map((row) => transactions.decode(row, fields))
}
