// Rows together with what every list shows of their block and of their transaction, in one statement: an answer never mixes two halves
// of a reorg. Logs, transfers and internal transactions are the children of a transaction.

import { positionsWithin } from '../schema/position.ts'
import type { TransactionRow } from '../schema/rows.ts'
import type { Table } from '../schema/table.ts'
import { blocks, internals, logs, transactions, transfers } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import type { BlockStamp } from './chain-state.ts'
import {
  type ConditionedFrom,
  countOf,
  createParameters,
  inList,
  keysOf,
  type ListStatement,
  listStatement,
  type Order,
  type Page,
  rowsInList,
} from './page.ts'

/** A transaction as lists show it: without its input and its unknown fields. */
export type TransactionSummary = Omit<TransactionRow, 'input' | 'unknownFields'>

/** What lists show of the transaction of a child. */
export type TransactionStamp = Pick<TransactionRow, 'hash' | 'method' | 'status' | 'type' | 'fee'>

export type InBlock<R> = R & { readonly block: BlockStamp }
export type InTransaction<R> = InBlock<R> & { readonly transaction: TransactionStamp }

const SUMMARY = [
  'pos',
  'hash',
  'sender',
  'recipient',
  'contractAddress',
  'value',
  'fee',
  'l1Fee',
  'nonce',
  'type',
  'status',
  'gasLimit',
  'gasUsed',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'method',
  'error',
  'sourceHash',
  'mint',
] as const satisfies (keyof TransactionSummary)[]

const TRANSACTION_STAMP = ['hash', 'method', 'status', 'type', 'fee'] as const
const BLOCK_STAMP = ['height', 'hash', 'timestampMs'] as const

/** In the order of the positions; a position whose row a reorg removed is left out. */
export function transactionsAt(reader: Reader, positions: readonly number[]): Promise<InBlock<TransactionSummary>[]> {
  return cachedRows(reader, 'transactions', positions, (missing) => transactionsWhere(reader, 't.pos', missing))
}

/** By the primary key, or by index transactions_hash. */
const TRANSACTIONS = { 't.pos': transactionsBy('t.pos'), 't.hash': transactionsBy('t.hash') }

function transactionsBy(column: string) {
  return listStatement(
    (marks) => `
      select ${transactions.select(SUMMARY, 't')}, ${blocks.select(BLOCK_STAMP, 'b', 'block')}
      from transactions t
      join blocks b on b.height = t.pos >> 20
      where ${column} in (${marks})`,
  )
}

export async function transactionsWhere(
  reader: Reader,
  column: keyof typeof TRANSACTIONS,
  keys: readonly (number | Uint8Array)[],
): Promise<InBlock<TransactionSummary>[]> {
  const rows = await rowsInList(reader, TRANSACTIONS[column], keys)
  return rows.map((row) => ({ ...transactions.decode(row, SUMMARY), block: blocks.decode(row, BLOCK_STAMP, 'block') }))
}

type Child = { readonly pos: number }

/** By primary keys. */
const CHILDREN = new Map([
  [logs.name, childStatement(logs)],
  [transfers.name, childStatement(transfers)],
  [internals.name, childStatement(internals)],
])

function childStatement<R>(table: Table<R>): ListStatement {
  return listStatement(
    (marks) => `
      select ${table.select(undefined, 't')},
        ${blocks.select(BLOCK_STAMP, 'b', 'block')},
        ${transactions.select(TRANSACTION_STAMP, 'x', 'tx')}
      from ${table.name} t
      join blocks b on b.height = t.pos >> 20
      join transactions x on x.pos = t.tx_pos
      where t.pos in (${marks})`,
  )
}

/** In the order of the positions. */
export function childrenAt<R extends Child>(
  reader: Reader,
  table: Table<R>,
  positions: readonly number[],
): Promise<InTransaction<R>[]> {
  return cachedRows(reader, table.name, positions, async (missing) => {
    const rows = await rowsInList(reader, CHILDREN.get(table.name)!, missing)
    return rows.map((row) => ({
      ...(table.decode(row) as R),
      block: blocks.decode(row, BLOCK_STAMP, 'block'),
      transaction: transactions.decode(row, TRANSACTION_STAMP, 'tx'),
    }))
  })
}

export type OfTransactions = {
  /** Positions of at most 1,000 transactions. */
  readonly positions: readonly number[]
  readonly also?: readonly string[]
  readonly order?: Order | undefined
}

/** Oldest first, as they happened. */
export async function childrenOfTransactions<R extends Child>(
  reader: Reader,
  table: Table<R>,
  filter: OfTransactions,
  page: Page,
): Promise<InTransaction<R>[]> {
  if (filter.positions.length === 0) return []
  const from = ofTransactions(table, filter)
  return childrenAt(reader, table, await keysOf(reader, { key: 'pos', from, page, order: filter.order ?? 'oldest' }))
}

export async function countChildrenOfTransactions<R extends Child>(
  reader: Reader,
  table: Table<R>,
  filter: OfTransactions,
): Promise<number> {
  return filter.positions.length === 0 ? 0 : countOf(reader, ofTransactions(table, filter))
}

/** Oldest first, as they happened. By the primary key. */
export async function childrenOfBlock<R extends Child>(
  reader: Reader,
  table: Table<R>,
  { height, also = [], order = 'oldest' }: { height: number; also?: readonly string[]; order?: Order | undefined },
  page: Page,
): Promise<InTransaction<R>[]> {
  const parameters = createParameters()
  const { first, last } = positionsWithin({ from: height, to: height })
  const conditions = [`pos between ${parameters.add(first)} and ${parameters.add(last)}`, ...also]
  const from = { table: table.name, conditions, parameters }
  return childrenAt(reader, table, await keysOf(reader, { key: 'pos', from, page, order }))
}

/** Indexes transfers_transaction and internals_transaction. The database sorts no more than the children of these transactions. */
function ofTransactions<R>(table: Table<R>, { positions, also = [] }: OfTransactions): ConditionedFrom {
  const parameters = createParameters()
  const { marks, values } = inList(positions)
  for (const value of values) parameters.add(value)
  return { table: table.name, conditions: [`tx_pos in (${marks})`, ...also], parameters }
}

/** The largest page and one more. Longer reads are streams, which would push everything else out of the cache. */
const MAX_CACHED_READ = 101

/** In the order of the positions. */
async function cachedRows<R extends Child>(
  reader: Reader,
  table: string,
  positions: readonly number[],
  read: (missing: readonly number[]) => Promise<R[]>,
): Promise<R[]> {
  const cache = positions.length > MAX_CACHED_READ ? undefined : reader.cache
  const rows = positions.map((pos) => cache?.row(table, pos) as R | undefined)
  const missing = positions.filter((_, i) => rows[i] === undefined)
  if (missing.length === 0) return rows as R[]
  const found = new Map((await read(missing)).map((row) => [row.pos, row]))
  if (cache) for (const [pos, row] of found) cache.setRow(table, pos, row)
  return positions.flatMap((pos, i) => rows[i] ?? found.get(pos) ?? [])
}
