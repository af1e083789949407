// Native balances that the index could not compute: which ones there are, and how they are set to what the node says.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database, Queries } from '../engine/database.ts'
import { BALANCES_CHECKED, chainNote } from '../read/chain-state.ts'
import { nativeBalancesOf } from '../read/native-balances.ts'
import { hexToStored } from '../schema/table.ts'
import { nativeBalances, nativeHistory } from '../schema/tables.ts'
import { incrementChainVersion, setChainNote } from './chain-notes.ts'

const UNKNOWN = new Uint8Array(0)

/** Addresses whose balance is not known. Index native_balances_rank. */
export async function unknownBalances(queries: Queries, limit: number): Promise<Hex[]> {
  const rows = await queries.all(
    `select ${nativeBalances.select(['address'])}
    from native_balances
    where balance = $1
    order by address
    limit ${limit}`,
    [UNKNOWN],
  )
  return rows.map((row) => nativeBalances.decode(row, ['address']).address)
}

/** How many there are, up to a bound. Index native_balances_rank. */
export async function countUnknownBalances(queries: Queries, atMost: number): Promise<number> {
  const [row] = await queries.all<{ count: number }>(
    `select count(*) as count
    from (select 1 from native_balances where balance = $1 limit ${atMost}) x`,
    [UNKNOWN],
  )
  return Number(row!.count)
}

/** Addresses with a stored balance in their order, after one of them. By the primary key. */
export async function addressesAfter(queries: Queries, after: Hex | null, limit: number): Promise<Hex[]> {
  const rows = await queries.all(
    `select ${nativeBalances.select(['address'])}
    from native_balances
    where address > $1
    order by address
    limit ${limit}`,
    [after === null ? UNKNOWN : hexToStored(after)],
  )
  return rows.map((row) => nativeBalances.decode(row, ['address']).address)
}

/** Scans the table; for the progress of a check that reads all of it from the node. */
export async function countBalances(queries: Queries): Promise<number> {
  const [row] = await queries.all<{ count: number }>('select count(*) as count from native_balances')
  return Number(row!.count)
}

/**
 * The highest block, below a height, in which native currency may have moved unseen. Index trace_gaps_moving and the primary key of
 * unseen_moves.
 */
export async function highestUnseenChange(queries: Queries, below = Number.MAX_SAFE_INTEGER): Promise<number | null> {
  const [row] = await queries.all<{ height: number | null }>(
    `select max(height) as height
    from (
      select max(height) as height from trace_gaps where may_move = 1 and height < $1
      union all
      select max(height) from unseen_moves where height < $1
    ) x`,
    [below],
  )
  return row!.height
}

export async function balancesCheckedTo(queries: Queries): Promise<number | null> {
  const note = await chainNote(queries, BALANCES_CHECKED)
  return note === undefined ? null : Number(note)
}

export function setBalancesCheckedTo(database: Database, height: number): Promise<void> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    await setChainNote(queries, BALANCES_CHECKED, String(height))
  })
}

export type ReadBalance = { readonly address: Hex; readonly balance: bigint }

/**
 * Sets balances as read at the head. The last stored change of an address gets the value, so that a reorg above it restores the right
 * one; an address that was only asked for gets a row at the head, or none if it has nothing. Returns the addresses that changed.
 */
export async function setReadBalances(
  database: Database,
  read: readonly ReadBalance[],
  height: number,
): Promise<readonly Hex[]> {
  const stored = await nativeBalancesOf(
    database,
    read.map(({ address }) => address),
  )
  const changed = read.filter(({ address, balance }) => stored.get(address)?.balance !== balance)
  if (changed.length === 0) return []
  const isEmptyAsked = ({ address, balance }: ReadBalance) =>
    balance === 0n && stored.get(address)?.height === ASKED_FOR
  const empty = changed.filter(isEmptyAsked)
  const rows = changed
    .filter((row) => !isEmptyAsked(row))
    .map(({ address, balance }) => {
      const storedHeight = stored.get(address)?.height ?? ASKED_FOR
      return { address, height: storedHeight === ASKED_FOR ? height : storedHeight, balance }
    })
  await database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    await queries.remove(
      nativeBalances,
      ['address'],
      empty.map(({ address }) => [hexToStored(address)]),
    )
    await queries.insert(
      nativeBalances,
      rows.map((row) => nativeBalances.encode(row)),
      '(address) do update set height = excluded.height, balance = excluded.balance',
    )
    await queries.insert(
      nativeHistory,
      rows.map((row) => nativeHistory.encode(row)),
      '(address, height) do update set balance = excluded.balance',
    )
  })
  return changed.map(({ address }) => address)
}

/** Height of the row of an address that no stored block has touched, but somebody asked for. */
const ASKED_FOR = -1
/** More addresses than this do not wait for the repair at the same time; the next question asks for them again. */
const MOST_ASKED_FOR = 1_000

/** Puts addresses without a stored balance before the repair. */
export function askForBalances(database: Database, addresses: readonly Hex[]): Promise<void> {
  return database.transaction(async (queries) => {
    if ((await countUnknownBalances(queries, MOST_ASKED_FOR)) >= MOST_ASKED_FOR) return
    await queries.insert(
      nativeBalances,
      addresses.map((address) => nativeBalances.encode({ address, height: ASKED_FOR, balance: null })),
      '(address) do nothing',
    )
  })
}
