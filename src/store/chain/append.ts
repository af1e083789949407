// Writes blocks into the tables. The order of blocks does not matter: the indexer follows the head while a backfill writes below it, and
// in the end the tables are the same as if all blocks had come in order.
import type { Queries } from '../engine/database.ts'
import { rangesStored } from '../read/chain-state.ts'
import { isLarge } from '../read/transactions.ts'
import type { BlockRows, ContractRow } from '../schema/rows.ts'
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
  traceGaps,
  transactions,
  transfers,
  unseenMoves,
} from '../schema/tables.ts'
import { activityOf } from './activity-rows.ts'
import { setCurrentDerivations } from './derivations.ts'
import { copyMarketToTokens } from './market.ts'
import { addHeights } from './ranges.ts'
import { noteTokenActivity } from './token-activity.ts'
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
  await insert(traceGaps, rowsOf('traceGaps'))
  await insert(unseenMoves, rowsOf('unseenMoves'))
  await insert(activity, activityOf(ordered))
  await insert(
    supplies,
    rowsOf('supplies').map((row) => ({ ...row, isFirst: row.isFirst ? 1 : 0 })),
  )
  await insert(nativeHistory, rowsOf('nativeBalances'))
  await insert(tokenHistory, rowsOf('tokenDeltas'))

  await insertContracts(queries, rowsOf('contracts'))
  await insertOldest(queries, tokens, rowsOf('tokens'))
  if (rowsOf('tokens').length > 0) await copyMarketToTokens(queries)
  await insertNewest(queries, nativeBalances, rowsOf('nativeBalances'))
  await addToTokens(
    queries,
    rowsOf('tokenDeltas'),
    rowsOf('transfers').map(({ token }) => ({ token, transfers: 1 })),
  )
  await noteTokenActivity(queries, ordered)
  if ((await rangesStored(queries)).length === 0) await setCurrentDerivations(queries)
  const joinedRanges = await addHeights(
    queries,
    ordered.map(({ block }) => block.height),
  )
  for (const { firstHeight } of joinedRanges) {
    await correctIssueTimes(queries, firstHeight)
    await deleteFirstSupplies(queries, firstHeight)
  }
}

/** Of two rows of an address the one with the lower height stays; at the same height the one that knows the creation. */
export function insertContracts(queries: Queries, rows: readonly ContractRow[]): Promise<void> {
  return insertIfBetter(
    queries,
    contracts,
    rows.toReversed(),
    `excluded.height < contracts.height
      or (excluded.height = contracts.height and contracts.tx_pos is null)`,
  )
}

type AtHeight = { readonly address: string; readonly height: number }

/** Of two rows of an address the one with the lower height stays. */
function insertOldest<R extends AtHeight>(queries: Queries, table: Table<R>, rows: readonly R[]): Promise<void> {
  return insertIfBetter(queries, table, rows.toReversed(), `excluded.height < ${table.name}.height`)
}

/** Of two rows of an address the one with the higher height stays. */
function insertNewest<R extends AtHeight>(queries: Queries, table: Table<R>, rows: readonly R[]): Promise<void> {
  return insertIfBetter(queries, table, rows, `excluded.height > ${table.name}.height`)
}

/** Of rows with the same address the last one is written, if it is better than the stored one. By the primary key. */
function insertIfBetter<R extends AtHeight>(
  queries: Queries,
  table: Table<R>,
  rows: readonly R[],
  isBetter: string,
): Promise<void> {
  const lastRows = [...new Map(rows.map((row) => [row.address, row])).values()]
  const onConflict = `(address) do update set ${upsertAssignments(table, ['address'])}
    where ${isBetter}`
  return queries.insert(
    table,
    lastRows.map((row) => table.encode(row)),
    onConflict,
  )
}

/**
 * The backfill has reached the range that begins at `firstHeight`, so tokens of that range may have their contract below it: a token is
 * as old as its contract. Index tokens_height.
 */
async function correctIssueTimes(queries: Queries, firstHeight: number): Promise<void> {
  await queries.run(
    `update tokens
    set issued_ms = (
      select b.timestamp_ms
      from contracts c
      join blocks b on b.height = c.height
      where c.address = tokens.address
    )
    where height >= $1
      and exists (
        select 1
        from contracts c
        where c.address = tokens.address and (c.tx_pos is not null or c.height = 0) and c.height < $1
      )`,
    [firstHeight],
  )
}

/** A supply that was read because the token seemed new is wrong once the token is known from below. Index token_supplies_height. */
async function deleteFirstSupplies(queries: Queries, firstHeight: number): Promise<void> {
  await queries.run(
    `delete from token_supplies
    where height >= $1
      and is_first = 1
      and exists (
        select 1
        from tokens t
        where t.address = token_supplies.token and t.height < token_supplies.height
      )`,
    [firstHeight],
  )
}
