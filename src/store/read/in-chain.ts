// Rows together with what every list shows of their block and of their transaction, in one statement: no half of a reorg.
import type { Queries } from '../engine/database.ts'
import type { TransactionRow } from '../schema/rows.ts'
import type { Table } from '../schema/table.ts'
import { blocks, transactions } from '../schema/tables.ts'
import type { BlockStamp } from './blocks.ts'
import { memoryOf } from './chain-reader.ts'
import { endingInList, inList, inLists } from './page.ts'

/** A transaction as lists show it: without its input. */
export type TransactionSummary = Omit<TransactionRow, 'input'>

/** What a log, a transfer or an internal call needs to know of its transaction. */
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

/** Transactions at these positions, in their order; a position whose row a reorg took is left out. */
export async function transactionsAt(
  queries: Queries,
  positions: readonly number[],
): Promise<InBlock<TransactionSummary>[]> {
  return remembered(queries, 'transactions', positions, (unknown) => transactionsWhere(queries, 't.pos', unknown))
}

/** `column` is a key of transactions with an index of its own. */
export async function transactionsWhere(
  queries: Queries,
  column: 't.pos' | 't.hash',
  keys: readonly (number | Uint8Array)[],
): Promise<InBlock<TransactionSummary>[]> {
  const rows = await inLists(keys, (piece) => {
    const { marks, values } = inList(piece)
    return queries.all(TRANSACTIONS[column](marks), values)
  })
  return rows.map((row) => ({ ...transactions.decode(row, SUMMARY), block: blocks.decode(row, BLOCK_STAMP, 'block') }))
}

/** Logs, transfers or internal calls at these positions, in their order. */
export async function childrenAt<R extends { readonly pos: number }>(
  queries: Queries,
  table: Table<R>,
  positions: readonly number[],
): Promise<InTransaction<R>[]> {
  const text = childrenTextOf(table)
  return remembered(queries, table.name, positions, async (unknown) => {
    const rows = await inLists(unknown, (piece) => {
      const { marks, values } = inList(piece)
      return queries.all(text(marks), values)
    })
    return rows.map((row) => ({
      ...(table.decode(row) as R),
      block: blocks.decode(row, BLOCK_STAMP, 'block'),
      transaction: transactions.decode(row, TRANSACTION_STAMP, 'tx'),
    }))
  })
}

/** In the order of their positions. Only the rows of pages are remembered: a stream would push out everything else. */
async function remembered<R extends { readonly pos: number }>(
  queries: Queries,
  table: string,
  positions: readonly number[],
  read: (unknown: readonly number[]) => Promise<R[]>,
): Promise<R[]> {
  const kept = positions.length > ROWS_OF_A_PAGE ? undefined : memoryOf(queries)?.lasting.rowsOf(table)
  if (!kept) return inOrder(positions, await read(positions))
  const rows = positions.map((pos) => kept.get(pos) as R | undefined)
  const unknown = positions.filter((_, i) => rows[i] === undefined)
  if (unknown.length === 0) return rows as R[]
  const found = new Map((await read(unknown)).map((row) => [row.pos, row]))
  for (const [pos, row] of found) kept.set(pos, row)
  return positions.flatMap((pos, i) => rows[i] ?? found.get(pos) ?? [])
}

/** The largest page and one more. */
const ROWS_OF_A_PAGE = 101

const childrenTexts = new Map<string, (marks: string) => string>()

function childrenTextOf<R>(table: Table<R>): (marks: string) => string {
  const known = childrenTexts.get(table.name)
  if (known) return known
  const text = endingInList(
    `select ${table.select(undefined, 't')}, ${blocks.select(BLOCK_STAMP, 'b', 'block')}, ${transactions.select(TRANSACTION_STAMP, 'x', 'tx')} from ${table.name} t join blocks b on b.height = t.pos >> 20 join transactions x on x.pos = t.tx_pos where t.pos`,
  )
  childrenTexts.set(table.name, text)
  return text
}

const SUMMARIES = `select ${transactions.select(SUMMARY, 't')}, ${blocks.select(BLOCK_STAMP, 'b', 'block')} from transactions t join blocks b on b.height = t.pos >> 20`

const TRANSACTIONS = {
  't.pos': endingInList(`${SUMMARIES} where t.pos`),
  't.hash': endingInList(`${SUMMARIES} where t.hash`),
}

function inOrder<R extends { readonly pos: number }>(positions: readonly number[], rows: readonly R[]): R[] {
  const byPosition = new Map(rows.map((row) => [row.pos, row]))
  return positions.flatMap((pos) => byPosition.get(pos) ?? [])
}
