// Balances, holders and transfer counts of tokens, as sums of what transfers add and take away. A row whose sums are all zero is deleted,
// so that a change and its opposite leave no trace and the order of changes does not matter.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { listStatement, runInList } from '../read/page.ts'
import type { TokenDeltaRow } from '../schema/rows.ts'
import { hexToStored, snakeCase, type Table, upsertAssignments } from '../schema/table.ts'
import {
  type TokenBalanceRow,
  type TokenCountRow,
  type TokenItemRow,
  tokenBalances,
  tokenCounts,
  tokenItems,
} from '../schema/tables.ts'

export type TokenDelta = Omit<TokenDeltaRow, 'height'>

/** A negative number of transfers takes transfers back. */
export async function addToTokens(
  queries: Queries,
  deltas: readonly TokenDelta[],
  transfers: readonly { readonly token: Hex; readonly transfers: number }[],
): Promise<void> {
  const changed = await addSums(
    queries,
    BALANCES,
    deltas.map(({ token, address, delta }) => ({ token, address, balance: delta, readHeight: null })),
  )
  await addSums(
    queries,
    ITEMS,
    deltas.flatMap(({ tokenId, delta, ...rest }) => (tokenId === null ? [] : { ...rest, tokenId, balance: delta })),
  )
  await addToCounts(queries, changed, transfers)
}

export type ChangedBalance = { readonly before: TokenBalanceRow | undefined; readonly after: TokenBalanceRow }

/** Brings the counters of tokens up to date with balances that changed. */
export async function addToCounts(
  queries: Queries,
  changed: readonly ChangedBalance[],
  transfers: readonly { readonly token: Hex; readonly transfers: number }[] = [],
): Promise<void> {
  const counted = await addSums(queries, COUNTS, [
    ...transfers.map((row) => ({ ...row, holders: 0, total: 0n })),
    ...changed.map(({ before, after }) => ({
      token: after.token,
      transfers: 0,
      holders: Number(isHolder(after)) - Number(isHolder(before)),
      total: after.balance - (before?.balance ?? 0n),
    })),
  ])
  const moved = counted.filter(({ before, after }) => after.holders !== (before?.holders ?? 0))
  await copyHoldersToTokens(
    queries,
    moved.map(({ after }) => after.token),
  )
}

/** The list of tokens is ordered by the number of holders, and its indexes are on `tokens`. By the primary key. */
export async function copyHoldersToTokens(queries: Queries, addresses: readonly Hex[]): Promise<void> {
  await runInList(queries, COPY_HOLDERS, addresses.map(hexToStored))
}

const COPY_HOLDERS = listStatement(
  (marks) => `
    update tokens
    set holders = coalesce((select c.holders from token_counts c where c.token = tokens.address), 0)
    where address in (${marks})`,
)

function isHolder(row: TokenBalanceRow | undefined): boolean {
  return row !== undefined && row.balance > 0n
}

const BALANCES: SumTable<TokenBalanceRow> = {
  table: tokenBalances,
  key: ['token', 'address'],
  plus: (a, b) => ({ ...a, balance: a.balance + b.balance }),
  // A holder whose balance is read from the contract stays known: the balance may grow again without an event.
  isZero: ({ balance, readHeight }) => balance === 0n && readHeight === null,
}

const ITEMS: SumTable<TokenItemRow> = {
  table: tokenItems,
  key: ['address', 'token', 'tokenId'],
  plus: (a, b) => ({ ...a, balance: a.balance + b.balance }),
  isZero: ({ balance }) => balance === 0n,
}

const COUNTS: SumTable<TokenCountRow> = {
  table: tokenCounts,
  key: ['token'],
  plus: (a, b) => ({
    ...a,
    transfers: a.transfers + b.transfers,
    holders: a.holders + b.holders,
    total: a.total === null || b.total === null ? null : a.total + b.total,
  }),
  isZero: ({ transfers, holders, total }) => transfers === 0 && holders === 0 && (total ?? 0n) === 0n,
}

type SumTable<R> = {
  readonly table: Table<R>
  readonly key: readonly (keyof R & string)[]
  readonly plus: (a: R, b: R) => R
  readonly isZero: (row: R) => boolean
}

/** Returns each changed row as it was (undefined where there was none) and as it is. By the key of the table. */
async function addSums<R>(
  queries: Queries,
  { table, key, plus, isZero }: SumTable<R>,
  changes: readonly R[],
): Promise<{ before: R | undefined; after: R }[]> {
  const textOf = (row: R) => key.map((field) => row[field]).join()
  const merged = new Map<string, R>()
  for (const change of changes) {
    const earlier = merged.get(textOf(change))
    merged.set(textOf(change), earlier ? plus(earlier, change) : change)
  }

  const columns = key.map(snakeCase)
  const keys = [...merged.values()].map((row) => table.encode(row, key))
  const found = (await queries.lookup(table, table.select(), columns, keys)).map((row) => table.decode(row) as R)
  const stored = new Map(found.map((row) => [textOf(row), row]))
  const changed = [...merged].map(([text, change]) => {
    const before = stored.get(text)
    return { before, after: before ? plus(before, change) : change }
  })

  const remaining = changed.filter(({ after }) => !isZero(after)).map(({ after }) => table.encode(after))
  const emptied = changed.filter(({ before, after }) => before && isZero(after))
  await queries.insert(table, remaining, `(${columns.join(', ')}) do update set ${upsertAssignments(table, columns)}`)
  await queries.remove(
    table,
    columns,
    emptied.map(({ after }) => table.encode(after, key)),
  )
  return changed
}
