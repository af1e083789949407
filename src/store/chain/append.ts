// Blocks into tables. Their order does not matter: following writes at the head while a backfill writes below it, and in
// the end the tables are the same as if all had come in order.

import type { Queries } from '../engine/database.ts'
import { isLarge } from '../read/transactions.ts'
import type { BlockRows } from '../schema/rows.ts'
import { type Table, upsertAssignments } from '../schema/table.ts'
import {
  activity,
  blocks,
  contracts,
  internals,
  logs,
  nativeBalances,
  nativeHistory,
  supplies,
  tokenHistory,
  tokens,
  transactions,
  transfers,
} from '../schema/tables.ts'
import { activityOf } from './activity-rows.ts'
import { rankTokens } from './market.ts'
import { addHeights } from './ranges.ts'
import { settleAbove } from './settle.ts'
import { addToTokens } from './token-sums.ts'

export async function appendBlocks(queries: Queries, added: readonly BlockRows[]): Promise<void> {
  const ordered = added.toSorted((a, b) => a.block.height - b.block.height)
  const rowsOf = <K extends Exclude<keyof BlockRows, 'block'>>(field: K) =>
    ordered.flatMap((rows) => rows[field] as BlockRows[K][number][])
  const insert = <R>(table: Table<R>, rows: readonly R[]) =>
    queries.insert(
      table,
      rows.map((row) => table.encode(row)),
    )

  await insert(
    blocks,
    ordered.map(({ block }) => block),
  )
  await insert(
    transactions,
    rowsOf('transactions').map((row) => ({ ...row, isLarge: isLarge(row) })),
  )
  await insert(logs, rowsOf('logs'))
  await insert(transfers, rowsOf('transfers'))
  await insert(internals, rowsOf('internals'))
  await insert(activity, activityOf(ordered))
  await insert(
    supplies,
    rowsOf('supplies').map((row) => ({ ...row, isFirst: row.isFirst ? 1 : 0 })),
  )
  await insert(nativeHistory, rowsOf('nativeBalances'))
  await insert(tokenHistory, rowsOf('tokenDeltas'))

  await insertOldest(queries, contracts, rowsOf('contracts'))
  await insertOldest(queries, tokens, rowsOf('tokens'))
  if (rowsOf('tokens').length > 0) await rankTokens(queries)
  await insertNewest(queries, nativeBalances, rowsOf('nativeBalances'))
  await addToTokens(
    queries,
    rowsOf('tokenDeltas'),
    rowsOf('transfers').map(({ token }) => ({ token, transfers: 1 })),
  )
  const closed = await addHeights(
    queries,
    ordered.map(({ block }) => block.height),
  )
  for (const { firstHeight } of closed) await settleAbove(queries, firstHeight)
}

type AtHeight = { readonly address: string; readonly height: number }

/** Keeps what is said of an address at the lowest height. */
function insertOldest<R extends AtHeight>(queries: Queries, table: Table<R>, rows: readonly R[]): Promise<void> {
  return insertUnless(queries, table, rows.toReversed(), '<')
}

/** Keeps what is said of an address at the highest height. */
function insertNewest<R extends AtHeight>(queries: Queries, table: Table<R>, rows: readonly R[]): Promise<void> {
  return insertUnless(queries, table, rows, '>')
}

/** Of rows with the same address the last counts, and it must be `better` than what is stored. */
function insertUnless<R extends AtHeight>(
  queries: Queries,
  table: Table<R>,
  rows: readonly R[],
  better: '<' | '>',
): Promise<void> {
  const each = [...new Map(rows.map((row) => [row.address, row])).values()]
  const onConflict = `(address) do update set ${upsertAssignments(table, ['address'])} where excluded.height ${better} ${table.name}.height`
  return queries.insert(
    table,
    each.map((row) => table.encode(row)),
    onConflict,
  )
}
