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
export const latestTransactions = async (queries: Queries, page: Page): Promise<InBlock<TransactionSummary>[]> =>
  transactionsAt(queries, await keysOf(queries, { key: 'pos', from: within({}), page }))

export const countTransactions = (queries: Queries, atMost: number): Promise<number> =>
  countOf(queries, within({}), atMost)

/** By index in the block; how many there are says the block's `transactionCount`. */
export const blockTransactions = async (
  queries: Queries,
  { height, order = 'oldest' }: { height: number; order?: Order },
  page: Page,
): Promise<InBlock<TransactionSummary>[]> => {
  const from = within({ from: height, to: height })
  return transactionsAt(queries, await keysOf(queries, { key: 'pos', from, page, order }))
}

/** In the order of the hashes; those that are not stored are left out. Index transactions_hash. */
export const transactionsByHash = async (
  queries: Queries,
  hashes: readonly Hex[],
): Promise<InBlock<TransactionSummary>[]> => {
  const rows = await transactionsWhere(queries, 't.hash', hashes.map(hexToStored))
  const byHash = new Map(rows.map((row) => [row.hash, row]))
  return hashes.flatMap((hash) => byHash.get(hash) ?? [])
}

export const transactionInput = async (queries: Queries, pos: number): Promise<Hex | undefined> =>
  (await transactionInputs(queries, [pos])).get(pos)

/** By position; those that are not stored are left out. */
export const transactionInputs = async (
  queries: Queries,
  positions: readonly number[],
): Promise<ReadonlyMap<number, Hex>> => {
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
export const largeTransactions = async (
  queries: Queries,
  filter: LargeFilter,
  page: Page,
): Promise<InBlock<TransactionSummary>[]> =>
  transactionsAt(queries, await keysOf(queries, { key: 'pos', from: large(filter), page }))

export const countLargeTransactions = (queries: Queries, filter: LargeFilter): Promise<number> =>
  countOf(queries, large(filter))

/** What E7 starts from (§4 E7). */
const LARGE_ABOVE_WEI = 100n * 10n ** 18n

export const isLarge = ({ value }: Pick<TransactionRow, 'value'>): 0 | 1 => (value > LARGE_ABOVE_WEI ? 1 : 0)

const large = ({ above, ...range }: LargeFilter): ConditionedFrom => {
  const { conditions, ...rest } = within(range)
  return {
    ...rest,
    conditions: ['is_large = 1', `value > ${rest.parameters.add(encodeAmount(above))}`, ...conditions],
  }
}

const within = (range: HeightRange): ConditionedFrom => {
  const parameters = createParameters()
  if (range.from === undefined && range.to === undefined) return { table: 'transactions', conditions: [], parameters }
  const { first, last } = positionsWithin(range)
  const conditions = [`pos between ${parameters.add(first)} and ${parameters.add(last)}`]
  return { table: 'transactions', conditions, parameters }
}
