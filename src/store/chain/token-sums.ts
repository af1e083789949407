// What transfers add up to: balances, holders and counts of tokens.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { endingInList, inList, inLists } from '../read/page.ts'
import type { TokenDeltaRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import {
  type TokenBalanceRow,
  type TokenCountRow,
  type TokenItemRow,
  tokenBalances,
  tokenCounts,
  tokenItems,
} from '../schema/tables.ts'
import { addSums, type SumTable } from './sums.ts'

export type TokenDelta = Omit<TokenDeltaRow, 'height'>

/** Transfers are given one by one or counted; those that are taken back count below zero. */
export async function addToTokens(
  queries: Queries,
  deltas: readonly TokenDelta[],
  transfers: readonly { readonly token: Hex; readonly transfers: number }[],
): Promise<void> {
  const changed = await addSums(
    queries,
    BALANCES,
    deltas.map(({ token, address, delta }) => ({ token, address, balance: delta })),
  )
  await addSums(
    queries,
    ITEMS,
    deltas.flatMap(({ tokenId, delta, ...rest }) => (tokenId === null ? [] : { ...rest, tokenId, balance: delta })),
  )
  const counted = await addSums(queries, COUNTS, [
    ...transfers.map((row) => ({ ...row, holders: 0 })),
    ...changed.map(({ before, after }) => ({
      token: after.token,
      transfers: 0,
      holders: Number(isHolder(after)) - Number(isHolder(before)),
    })),
  ])
  const moved = counted.filter(({ before, after }) => after.holders !== (before?.holders ?? 0))
  await rankByHolders(
    queries,
    moved.map(({ after }) => after.token),
  )
}

/** Copies the number of holders to where the indexes of the list of tokens are. */
async function rankByHolders(queries: Queries, addresses: readonly Hex[]): Promise<void> {
  await inLists(addresses.map(hexToStored), async (piece) => {
    const { marks, values } = inList(piece)
    await queries.run(RANK(marks), values)
    return []
  })
}

const RANK = endingInList(
  'update tokens set holders = coalesce((select c.holders from token_counts c where c.token = tokens.address), 0) where address',
)

function isHolder(row: TokenBalanceRow | undefined): boolean {
  return row !== undefined && row.balance > 0n
}

const BALANCES: SumTable<TokenBalanceRow> = {
  table: tokenBalances,
  key: ['token', 'address'],
  plus: (a, b) => ({ ...a, balance: a.balance + b.balance }),
  isZero: ({ balance }) => balance === 0n,
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
  plus: (a, b) => ({ ...a, transfers: a.transfers + b.transfers, holders: a.holders + b.holders }),
  isZero: ({ transfers, holders }) => transfers === 0 && holders === 0,
}
