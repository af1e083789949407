// Sums the history of a token again: balances, ids and counters as the stored changes add up, whatever an older version left there. A token
// with very many holders is left to the comparison with its contract, which says until then that nobody confirmed it.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Mutex } from '../../lib/async/semaphore.ts'
import type { Database, Queries } from '../engine/database.ts'
import { blockHashAt, chainState } from '../read/chain-state.ts'
import { heightOf, positionOf } from '../schema/position.ts'
import { hexToStored, type Table, upsertAssignments } from '../schema/table.ts'
import {
  logs,
  type TokenBalanceRow,
  type TokenItemRow,
  tokenBalances,
  tokenCounts,
  tokenHistory,
  tokenItems,
  tokens,
} from '../schema/tables.ts'
import { isReadFromContract, tokenChecks } from '../schema/token-checks.ts'
import { incrementChainVersion, incrementRepairs } from './chain-notes.ts'
import { endDerivingAgain } from './derivations.ts'
import { copyHoldersToTokens } from './token-sums.ts'

/** No block is written while so many balances are compared. */
const MOST_BALANCES = 50_000
const LOGS_A_STEP = 2_000

/** In the order of addresses; undefined after the last. By the primary key. */
export async function tokenAfter(queries: Queries, after: Hex | undefined): Promise<Hex | undefined> {
  const [row] = await queries.all(
    `select ${tokens.select(['address'])}
    from tokens
    where address > $1
    order by address
    limit 1`,
    [after === undefined ? new Uint8Array(0) : hexToStored(after)],
  )
  return row && tokens.decode(row, ['address']).address
}

type Sums = {
  readonly balances: Map<Hex, bigint>
  readonly items: Map<string, Omit<TokenItemRow, 'token'>>
}

/** False where a reorg changed the history meanwhile. The last blocks are summed, and all is written, while no block is written. */
export async function sumTokenAgain(database: Database, token: Hex, betweenBlocks: Mutex): Promise<boolean> {
  const { head } = await chainState(database)
  if (head === undefined) return true
  const sums: Sums = { balances: new Map(), items: new Map() }
  const isSummed = await addHistory(database, token, { from: 0, to: head.height }, sums)
  if (!isSummed) return true
  return betweenBlocks(() =>
    database.transaction(async (queries) => {
      await incrementChainVersion(queries)
      if ((await blockHashAt(queries, head.height)) !== head.hash) return false
      const above = { from: head.height + 1, to: Number.MAX_SAFE_INTEGER }
      if (await addHistory(queries, token, above, sums)) await writeSums(queries, token, sums)
      return true
    }),
  )
}

/** All tokens are summed again. */
export function endSummingAgain(database: Database): Promise<void> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    await endDerivingAgain(queries, ['token balances'])
  })
}

/**
 * A token has history at heights at which its contract logged something. False where it has more holders than can be summed. Index
 * logs_address, and the primary key of token_history.
 */
async function addHistory(
  queries: Queries,
  token: Hex,
  { from, to }: { readonly from: number; readonly to: number },
  { balances, items }: Sums,
): Promise<boolean> {
  for (let next = from; ; ) {
    const rows = await queries.all<{ pos: number }>(
      `select ${logs.select(['pos'])}
      from logs
      where address = $1 and pos >= $2
      order by pos
      limit ${LOGS_A_STEP}`,
      [hexToStored(token), positionOf(next, 0)],
    )
    const heights = [...new Set(rows.map(({ pos }) => heightOf(pos)))].filter((each) => each <= to)
    const keys = heights.map((each) => [each, hexToStored(token)])
    for (const row of await queries.lookup(tokenHistory, tokenHistory.select(), ['height', 'token'], keys)) {
      const { address, tokenId, delta } = tokenHistory.decode(row)
      balances.set(address, (balances.get(address) ?? 0n) + delta)
      if (tokenId === null) continue
      const key = `${address}${tokenId}`
      items.set(key, { address, tokenId, balance: (items.get(key)?.balance ?? 0n) + delta })
    }
    if (balances.size > MOST_BALANCES || items.size > MOST_BALANCES) return false
    if (rows.length < LOGS_A_STEP || heights.length === 0) return true
    next = heights.at(-1)! + 1
  }
}

/** Balances that are read from the contract stay. */
async function writeSums(queries: Queries, token: Hex, sums: Sums): Promise<void> {
  const key = [hexToStored(token)]
  const [check] = await queries.lookup(tokenChecks, tokenChecks.select(['source']), ['token'], [key])
  const isRead = check !== undefined && isReadFromContract(tokenChecks.decode(check, ['source']).source)
  const rows = await queries.lookup(tokenBalances, tokenBalances.select(), ['token'], [key])
  const stored = rows.map((row) => tokenBalances.decode(row))
  const balances = isRead
    ? stored
    : [...sums.balances].map(([address, balance]) => ({ token, address, balance, readHeight: null }))
  const areOthers = isRead ? false : await writeBalances(queries, token, { stored, balances, items: sums.items })
  const areCountsOthers = await writeCounts(queries, token, balances)
  if (areOthers || areCountsOthers) await incrementRepairs(queries)
}

type Balances = {
  readonly stored: readonly TokenBalanceRow[]
  readonly balances: readonly TokenBalanceRow[]
  readonly items: Sums['items']
}

/** By primary keys. */
async function writeBalances(queries: Queries, token: Hex, { stored, balances, items }: Balances): Promise<boolean> {
  const holders = new Set([...stored, ...balances].map(({ address }) => address))
  const keys = [...holders].map((address) => [hexToStored(address), hexToStored(token)])
  const storedItems = await queries.lookup(tokenItems, tokenItems.select(), ['address', 'token'], keys)
  const areOthers = await replaceDifferent(queries, tokenBalances, ['token', 'address'], {
    stored,
    wanted: balances.filter(({ balance }) => balance !== 0n),
  })
  const areItemsOthers = await replaceDifferent(queries, tokenItems, ['address', 'token', 'token_id'], {
    stored: storedItems.map((row) => tokenItems.decode(row)),
    wanted: [...items.values()].filter(({ balance }) => balance !== 0n).map((item) => ({ ...item, token })),
  })
  return areOthers || areItemsOthers
}

/** Index transfers_token. */
async function writeCounts(queries: Queries, token: Hex, balances: readonly TokenBalanceRow[]): Promise<boolean> {
  const [counted] = await queries.all<{ count: number }>(
    `select count(*) as count
    from transfers
    where token = $1`,
    [hexToStored(token)],
  )
  const row = {
    token,
    transfers: Number(counted!.count),
    holders: balances.filter(({ balance }) => balance > 0n).length,
    total: balances.reduce((sum, { balance }) => sum + balance, 0n),
  }
  const rows = await queries.lookup(tokenCounts, tokenCounts.select(), ['token'], [[hexToStored(token)]])
  const isChanged = await replaceDifferent(queries, tokenCounts, ['token'], {
    stored: rows.map((each) => tokenCounts.decode(each)),
    wanted: row.transfers === 0 && row.holders === 0 && row.total === 0n ? [] : [row],
  })
  await copyHoldersToTokens(queries, [token])
  return isChanged
}

/** Whether there was a difference. By the key. */
async function replaceDifferent<R>(
  queries: Queries,
  table: Table<R>,
  key: readonly string[],
  { stored, wanted }: { readonly stored: readonly R[]; readonly wanted: readonly R[] },
): Promise<boolean> {
  const places = key.map((name) => table.columns.findIndex((column) => column.name === name))
  const textOf = (values: readonly unknown[]) =>
    values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)).join()
  const keyOf = <T>(values: readonly T[]) => places.map((at) => values[at]!)
  const storedRows = stored.map((row) => table.encode(row))
  const wantedRows = wanted.map((row) => table.encode(row))
  const storedTexts = new Set(storedRows.map(textOf))
  const wantedKeys = new Set(wantedRows.map((row) => textOf(keyOf(row))))
  const different = wantedRows.filter((row) => !storedTexts.has(textOf(row)))
  const superfluous = storedRows.map(keyOf).filter((row) => !wantedKeys.has(textOf(row)))
  await queries.remove(table, key, superfluous)
  await queries.insert(table, different, `(${key.join(', ')}) do update set ${upsertAssignments(table, key)}`)
  return different.length > 0 || superfluous.length > 0
}
