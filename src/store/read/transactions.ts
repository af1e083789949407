import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { encodeAmount } from '../schema/amount.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { TransactionRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { transactions } from '../schema/tables.ts'
import { type InBlock, type TransactionSummary, transactionsAt, transactionsWhere } from './in-chain.ts'
import {
  type ConditionedFrom,
  countOf,
  createParameters,
  endingInList,
  inList,
  inLists,
  keysOf,
  type Order,
  type Page,
} from './page.ts'

/** Newest first. */
export async function latestTransactions(queries: Queries, page: Page): Promise<InBlock<TransactionSummary>[]> {
  return transactionsAt(queries, await keysOf(queries, { key: 'pos', from: within({}), page }))
}

export function countTransactions(queries: Queries, atMost: number): Promise<number> {
  return countOf(queries, within({}), atMost)
}

/** By index in the block; how many there are says the block's `transactionCount`. */
export async function blockTransactions(
  queries: Queries,
  { height, order = 'oldest' }: { height: number; order?: Order },
  page: Page,
): Promise<InBlock<TransactionSummary>[]> {
  const from = within({ from: height, to: height })
  return transactionsAt(queries, await keysOf(queries, { key: 'pos', from, page, order }))
}

/** In the order of the hashes; those that are not stored are left out. Index transactions_hash. */
export async function transactionsByHash(
  queries: Queries,
  hashes: readonly Hex[],
): Promise<InBlock<TransactionSummary>[]> {
  const rows = await transactionsWhere(queries, 't.hash', hashes.map(hexToStored))
  const byHash = new Map(rows.map((row) => [row.hash, row]))
  return hashes.flatMap((hash) => byHash.get(hash) ?? [])
}

export async function transactionInput(queries: Queries, pos: number): Promise<Hex | undefined> {
  return (await transactionInputs(queries, [pos])).get(pos)
}

/** By position; those that are not stored are left out. */
export async function transactionInputs(
  queries: Queries,
  positions: readonly number[],
): Promise<ReadonlyMap<number, Hex>> {
  const rows = await inLists(positions, (piece) => {
    const { marks, values } = inList(piece)
    return queries.all(INPUTS(marks), values)
  })
  return new Map(rows.map((row) => transactions.decode(row, INPUT)).map(({ pos, input }) => [pos, input]))
}

const INPUT = ['pos', 'input'] as const
const INPUTS = endingInList(`select ${transactions.select(INPUT)} from transactions where pos`)

/** Transactions of more than 100 units of the native currency are marked as large; a lower bar finds no more. */
export type LargeFilter = HeightRange & { readonly above: bigint }

/** Newest first. Index transactions_large. */
export async function largeTransactions(
  queries: Queries,
  filter: LargeFilter,
  page: Page,
): Promise<InBlock<TransactionSummary>[]> {
  return transactionsAt(queries, await keysOf(queries, { key: 'pos', from: large(filter), page }))
}

export function countLargeTransactions(queries: Queries, filter: LargeFilter): Promise<number> {
  return countOf(queries, large(filter))
}

/** What E7 starts from (§4 E7). */
const LARGE_ABOVE_WEI = 100n * 10n ** 18n

export function isLarge({ value }: Pick<TransactionRow, 'value'>): 0 | 1 {
  return value > LARGE_ABOVE_WEI ? 1 : 0
}

function large({ above, ...range }: LargeFilter): ConditionedFrom {
  const { conditions, ...rest } = within(range)
  return {
    ...rest,
    conditions: ['is_large = 1', `value > ${rest.parameters.add(encodeAmount(above))}`, ...conditions],
  }
}

function within(range: HeightRange): ConditionedFrom {
  const parameters = createParameters()
  if (range.from === undefined && range.to === undefined) return { table: 'transactions', conditions: [], parameters }
  const { first, last } = positionsWithin(range)
  const conditions = [`pos between ${parameters.add(first)} and ${parameters.add(last)}`]
  return { table: 'transactions', conditions, parameters }
}
