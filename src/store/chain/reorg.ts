// Reorg: deletes everything from a height on, and sets current balances and counters back to what they were before.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import type { Queries, Value } from '../engine/database.ts'
import { rangesStored } from '../read/chain-state.ts'
import { positionsWithin } from '../schema/position.ts'
import { TOKEN_KINDS } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import {
  ACTIVITY_KINDS,
  type ActivityKind,
  activity,
  nativeBalances,
  nativeHistory,
  tokenHistory,
} from '../schema/tables.ts'
import { lowerDerivedTo } from './derivations.ts'
import { removeHeights } from './ranges.ts'
import { undoTokenChecks } from './token-activity.ts'
import { addToTokens } from './token-sums.ts'

/** Blocks are deleted in batches from the top, so that a deep reorg needs no more memory than a shallow one. */
const BLOCKS_PER_BATCH = 64

export async function rewind(queries: Queries, height: number): Promise<void> {
  for (const { firstHeight, lastHeight } of (await rangesStored(queries)).toReversed()) {
    const floor = Math.max(firstHeight, height)
    for (let above = lastHeight + 1; above > floor; above -= BLOCKS_PER_BATCH) {
      await deleteFrom(queries, Math.max(above - BLOCKS_PER_BATCH, floor))
    }
  }
  await removeHeights(queries, height)
  await lowerDerivedTo(queries, height - 1)
}

/**
 * Rows that are derived from other rows are undone first, while those others can still be read. The program does the grouping: SQLite
 * would scan whole tables for it. By the primary keys, and by the index on height of contracts, tokens and token_supplies.
 */
async function deleteFrom(queries: Queries, height: number): Promise<void> {
  const heights = { from: height, to: HIGHEST }
  await undoSums(queries, heights)
  await undoTokenChecks(queries, height)
  await undoNativeBalances(queries, height)
  await deleteRows(queries, heights)
}

/** Ends included. */
export type Heights = { readonly from: number; readonly to: number }

const HIGHEST = 2 ** 33 - 2

/** The rows of these heights themselves, except native_history. */
export async function deleteRows(queries: Queries, heights: Heights): Promise<void> {
  const { first, last } = positionsWithin(heights)
  for (const table of ['transactions', 'logs', 'transfers', 'internals']) {
    await queries.run(
      `delete from ${table}
      where pos >= $1 and pos <= $2`,
      [first, last],
    )
  }
  for (const table of ['blocks', 'contracts', 'tokens', 'token_supplies', 'trace_gaps', 'unseen_moves']) {
    await queries.run(
      `delete from ${table}
      where height >= $1 and height <= $2`,
      [heights.from, heights.to],
    )
  }
}

/** Activity of addresses and sums of tokens. */
export async function undoSums(queries: Queries, heights: Heights): Promise<void> {
  await deleteActivity(queries, heights)
  await undoTokenChanges(queries, heights)
}

export async function deleteActivity(queries: Queries, heights: Heights): Promise<void> {
  const { first, last } = positionsWithin(heights)
  for (const source of ACTIVITY_SOURCES) await deleteActivityOf(queries, source, { first, end: last + 1 })
}

type ActivitySource = (typeof ACTIVITY_SOURCES)[number]
const ACTIVITY_SOURCES = ['transaction', 'internal', 'transfer'] as const

/** What addresses did in a range of positions, while the rows it comes from can still be read. By the primary keys. */
export async function deleteActivityOf(
  queries: Queries,
  source: ActivitySource,
  { first, end }: { readonly first: number; readonly end: number },
): Promise<void> {
  const rows = await queries.all<Parties>(
    `${partiesOf(source)}
    where pos >= $1 and pos < $2`,
    [first, end],
  )
  const keys = rows.flatMap(({ a, b, kind, pos }) => [[a, kind, pos], ...(b === null ? [] : [[b, kind, pos]])])
  await queries.remove(activity, ['address', 'kind', 'pos'], keys)
}

function partiesOf(source: ActivitySource): string {
  const codeOf = (kind: ActivityKind) => ACTIVITY_KINDS.indexOf(kind)
  switch (source) {
    case 'transaction':
      return `select sender as a, coalesce(recipient, contract_address) as b, ${codeOf('transaction')} as kind, pos
    from transactions`
    case 'internal':
      return `select sender as a, recipient as b, ${codeOf('internal')} as kind, pos
    from internals`
    case 'transfer':
      return `select sender as a, recipient as b,
      case kind ${TOKEN_KINDS.map((kind) => `when ${kind} then ${codeOf(kind)}`).join(' ')} end as kind, pos
    from transfers`
  }
}

type Parties = { a: Value; b: Value; kind: number; pos: number }

/** Indexes: the primary keys of token_history and transfers. */
async function undoTokenChanges(queries: Queries, heights: Heights): Promise<void> {
  const { first, last } = positionsWithin(heights)
  const between = [heights.from, heights.to]
  const history = await queries.all(
    `select ${tokenHistory.select()}
    from token_history
    where height >= $1 and height <= $2`,
    between,
  )
  const moved = await queries.all<{ token: Uint8Array }>(
    `select token
    from transfers
    where pos >= $1 and pos <= $2`,
    [first, last],
  )
  await addToTokens(
    queries,
    history.map((row) => tokenHistory.decode(row)).map((row) => ({ ...row, delta: -row.delta })),
    moved.map(({ token }) => ({ token: bytesToHex(token), transfers: -1 })),
  )
  await queries.run(
    `delete from token_history
    where height >= $1 and height <= $2`,
    between,
  )
}

async function undoNativeBalances(queries: Queries, height: number): Promise<void> {
  const addresses = await deleteNativeHistory(queries, { from: height, to: HIGHEST })
  await restoreBalances(queries, addresses, height)
}

/** Gives the addresses that had a row. Index native_history_height. */
export async function deleteNativeHistory(queries: Queries, { from, to }: Heights): Promise<Set<Hex>> {
  const touched = await queries.all(
    `select ${nativeHistory.select(['address'])}
    from native_history
    where height >= $1 and height <= $2`,
    [from, to],
  )
  await queries.run(
    `delete from native_history
    where height >= $1 and height <= $2`,
    [from, to],
  )
  return new Set(touched.map((row) => nativeHistory.decode(row, ['address']).address))
}

/**
 * Sets current balances to the last ones of the stored history, which are found by its primary key. Where native currency moved unseen
 * below a height, the history lacks what the repair read since, so those balances are read again. Index trace_gaps_moving.
 */
export async function restoreBalances(queries: Queries, addresses: Iterable<Hex>, below: number): Promise<void> {
  const keys = [...addresses].map((address) => [hexToStored(address)])
  const unseen = await queries.all(
    `select height
    from trace_gaps
    where may_move = 1 and height < $1
    union all
    select height
    from unseen_moves
    where height < $1
    limit 1`,
    [below],
  )
  const before = await queries.lookup<{ address: Uint8Array; height: number | null }>(
    nativeBalances,
    `native_balances.address,
    (
      select max(h.height)
      from native_history h
      where h.address = native_balances.address
    ) as height`,
    ['address'],
    keys,
  )
  const known = before.filter(({ height }) => height !== null).map(({ address, height }) => [address, height])
  const restored = await queries.lookup(nativeHistory, nativeHistory.select(), ['address', 'height'], known)
  await queries.remove(nativeBalances, ['address'], keys)
  await queries.insert(
    nativeBalances,
    restored
      .map((row) => nativeHistory.decode(row))
      .map((row) => nativeBalances.encode(unseen.length > 0 ? { ...row, balance: null } : row)),
  )
}
