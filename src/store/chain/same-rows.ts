// Compares derived rows with the stored ones, so that nothing is written where a newer version derives the same.
import type { Queries, Value } from '../engine/database.ts'
import { nativeBalancesOf } from '../read/native-balances.ts'
import { isLarge } from '../read/transactions.ts'
import { positionsWithin } from '../schema/position.ts'
import type { BlockRows } from '../schema/rows.ts'
import type { Table } from '../schema/table.ts'
import {
  activity,
  blocks,
  contracts,
  internals,
  logs,
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
import type { Heights } from './reorg.ts'

/** Sums of tokens are not looked at: they change with `token_history` and `transfers` alone. By primary keys and the indexes on height. */
export async function hasSameRows(queries: Queries, derived: readonly BlockRows[]): Promise<boolean> {
  const heights = { from: derived[0]!.block.height, to: derived.at(-1)!.block.height }
  const rowsOf = <K extends Exclude<keyof BlockRows, 'block'>>(field: K) =>
    derived.flatMap((rows) => rows[field] as BlockRows[K][number][])
  const isSame = async <R>(table: Table<R>, rows: readonly R[]): Promise<boolean> => {
    const stored = await storedRows(queries, table, heights)
    return stored.length === rows.length && haveSameText(table, stored, rows)
  }
  return (
    (await isSame(
      blocks,
      derived.map(({ block }) => block),
    )) &&
    (await isSame(
      transactions,
      rowsOf('transactions').map((row) => ({ ...row, isLarge: isLarge(row) })),
    )) &&
    (await isSame(logs, rowsOf('logs'))) &&
    (await isSame(transfers, rowsOf('transfers'))) &&
    (await isSame(internals, rowsOf('internals'))) &&
    (await isSame(traceGaps, rowsOf('traceGaps'))) &&
    (await isSame(unseenMoves, rowsOf('unseenMoves'))) &&
    (await isSame(contracts, oldest(rowsOf('contracts')))) &&
    (await isSame(tokens, oldest(rowsOf('tokens')))) &&
    (await isSame(
      supplies,
      rowsOf('supplies').map((row) => ({ ...row, isFirst: row.isFirst ? 1 : 0 })),
    )) &&
    (await isSame(tokenHistory, rowsOf('tokenDeltas'))) &&
    (await isSame(nativeHistory, rowsOf('nativeBalances'))) &&
    (await hasSameActivity(queries, derived)) &&
    (await hasSameBalances(queries, derived))
  )
}

/** Of rows of an address the first is stored. They are in the order of heights. */
function oldest<R extends { readonly address: string }>(rows: readonly R[]): R[] {
  return [...new Map(rows.toReversed().map((row) => [row.address, row])).values()]
}

/** Of a table with positions or with heights. */
export async function storedRows<R>(queries: Queries, table: Table<R>, { from, to }: Heights): Promise<R[]> {
  const { first, last } = positionsWithin({ from, to })
  const hasPositions = table.columns.some(({ name }) => name === 'pos')
  const column = hasPositions ? 'pos' : 'height'
  const rows = await queries.all(
    `select ${table.select()}
    from ${table.name}
    where ${column} >= $1 and ${column} <= $2`,
    hasPositions ? [first, last] : [from, to],
  )
  return rows.map((row) => table.decode(row) as R)
}

function haveSameText<R>(table: Table<R>, stored: readonly R[], rows: readonly R[]): boolean {
  const texts = new Set(stored.map((row) => textOf(table.encode(row))))
  return rows.every((row) => texts.has(textOf(table.encode(row))))
}

function textOf(values: readonly Value[]): string {
  return values
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)))
    .join('|')
}

async function hasSameActivity(queries: Queries, derived: readonly BlockRows[]): Promise<boolean> {
  const rows = activityOf(derived)
  const keys = rows.map((row) => activity.encode(row, ['address', 'kind', 'pos']))
  const stored = await queries.lookup(activity, activity.select(), ['address', 'kind', 'pos'], keys)
  return (
    stored.length === rows.length &&
    haveSameText(
      activity,
      stored.map((row) => activity.decode(row)),
      rows,
    )
  )
}

/** Current balances of addresses that no later block changed. */
async function hasSameBalances(queries: Queries, derived: readonly BlockRows[]): Promise<boolean> {
  const last = new Map(derived.flatMap((rows) => rows.nativeBalances).map((row) => [row.address, row]))
  const stored = await nativeBalancesOf(queries, [...last.keys()])
  return [...last.values()].every(({ address, height, balance }) => {
    const current = stored.get(address)
    if (current === undefined || current.height < height) return false
    return current.height > height || current.balance === balance
  })
}
