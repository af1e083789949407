import type { Hex } from '../../chain/bytes/hex.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { TransactionRow } from '../schema/rows.ts'
import { encodeAmount, hexToStored } from '../schema/table.ts'
import { transactions } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import { type InBlock, type TransactionSummary, transactionsAt, transactionsWhere } from './chain-rows.ts'
import {
  type ConditionedFrom,
  countOf,
  createParameters,
  keysOf,
  listStatement,
  type Order,
  type Page,
  rowsInList,
} from './page.ts'

/** Newest first. By the primary key. */
export async function latestTransactions(reader: Reader, page: Page): Promise<InBlock<TransactionSummary>[]> {
  return transactionsAt(reader, await keysOf(reader, { key: 'pos', from: within({}), page }))
}

export function countTransactions(reader: Reader, atMost: number): Promise<number> {
  return countOf(reader, within({}), atMost)
}

/** By index in the block; the block's `transactionCount` is their number. By the primary key. */
export async function blockTransactions(
  reader: Reader,
  { height, order = 'oldest' }: { height: number; order?: Order },
  page: Page,
): Promise<InBlock<TransactionSummary>[]> {
  const from = within({ from: height, to: height })
  return transactionsAt(reader, await keysOf(reader, { key: 'pos', from, page, order }))
}

/** In the order of the hashes; those that are not stored are left out. Index transactions_hash. */
export async function transactionsByHash(
  reader: Reader,
  hashes: readonly Hex[],
): Promise<InBlock<TransactionSummary>[]> {
  const rows = await transactionsWhere(reader, 't.hash', hashes.map(hexToStored))
  const byHash = new Map(rows.map((row) => [row.hash, row]))
  return hashes.flatMap((hash) => byHash.get(hash) ?? [])
}

export async function transactionInput(reader: Reader, pos: number): Promise<Hex | undefined> {
  return (await longColumns(reader, [pos])).get(pos)?.input
}

const LONG_COLUMNS = ['pos', 'input', 'unknownFields'] as const
/** By the primary key. */
const LONG = listStatement(
  (marks) => `select ${transactions.select(LONG_COLUMNS)} from transactions where pos in (${marks})`,
)

/** What lists leave out, by position; transactions that are not stored are left out. */
export async function longColumns(
  reader: Reader,
  positions: readonly number[],
): Promise<ReadonlyMap<number, Pick<TransactionRow, 'input' | 'unknownFields'>>> {
  const rows = await rowsInList(reader, LONG, positions)
  return new Map(rows.map((row) => transactions.decode(row, LONG_COLUMNS)).map((long) => [long.pos, long]))
}

/** Transactions of more than 100 native units are marked as large; a lower bound finds no more. */
export type LargeFilter = HeightRange & { readonly above: bigint }

/** Newest first. Index transactions_large. */
export async function largeTransactions(
  reader: Reader,
  filter: LargeFilter,
  page: Page,
): Promise<InBlock<TransactionSummary>[]> {
  return transactionsAt(reader, await keysOf(reader, { key: 'pos', from: large(filter), page }))
}

export function countLargeTransactions(reader: Reader, filter: LargeFilter): Promise<number> {
  return countOf(reader, large(filter))
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

/** By the primary key: from the first transaction of the block to this one. */
const CUMULATIVE = listStatement(
  (marks) => `
    select t.pos as pos, (
      select sum(b.gas_used)
      from transactions b
      where b.pos between ((t.pos >> 20) << 20) and t.pos
    ) as gas
    from transactions t
    where t.pos in (${marks})`,
)

/** The gas that the block had used when each transaction ended, by position; transactions that are not stored are left out. */
export async function cumulativeGas(
  reader: Reader,
  positions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await rowsInList(reader, CUMULATIVE, positions)
  return new Map(rows.map(({ pos, gas }) => [Number(pos), Number(gas)]))
}
