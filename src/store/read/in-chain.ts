// Rows together with what every list shows of their block and of their transaction, in one statement: no half of a reorg.
import type { Queries } from '../database.ts'
import type { TransactionRow } from '../rows.ts'
import type { Table } from '../table.ts'
import { blocks, transactions } from '../tables.ts'
import type { BlockStamp } from './blocks.ts'
import { inList, inLists } from './page.ts'

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
export const transactionsAt = async (
  queries: Queries,
  positions: readonly number[],
): Promise<InBlock<TransactionSummary>[]> => inOrder(positions, await transactionsWhere(queries, 't.pos', positions))

/** `column` is a key of transactions with an index of its own. */
export const transactionsWhere = async (
  queries: Queries,
  column: 't.pos' | 't.hash',
  keys: readonly (number | Uint8Array)[],
): Promise<InBlock<TransactionSummary>[]> => {
  const rows = await inLists(keys, (piece) => {
    const { marks, values } = inList(piece)
    return queries.all(
      `select ${transactions.select(SUMMARY, 't')}, ${blocks.select(BLOCK_STAMP, 'b', 'block')} from transactions t join blocks b on b.height = t.pos >> 20 where ${column} in (${marks})`,
      values,
    )
  })
  return rows.map((row) => ({ ...transactions.decode(row, SUMMARY), block: blocks.decode(row, BLOCK_STAMP, 'block') }))
}

/** Logs, transfers or internal calls at these positions, in their order. */
export const childrenAt = async <R extends { readonly pos: number }>(
  queries: Queries,
  table: Table<R>,
  positions: readonly number[],
): Promise<InTransaction<R>[]> => {
  const rows = await inLists(positions, (piece) => {
    const { marks, values } = inList(piece)
    return queries.all(
      `select ${table.select(undefined, 't')}, ${blocks.select(BLOCK_STAMP, 'b', 'block')}, ${transactions.select(TRANSACTION_STAMP, 'x', 'tx')} from ${table.name} t join blocks b on b.height = t.pos >> 20 join transactions x on x.pos = t.tx_pos where t.pos in (${marks})`,
      values,
    )
  })
  return inOrder(
    positions,
    rows.map((row) => ({
      ...(table.decode(row) as R),
      block: blocks.decode(row, BLOCK_STAMP, 'block'),
      transaction: transactions.decode(row, TRANSACTION_STAMP, 'tx'),
    })),
  )
}

const inOrder = <R extends { readonly pos: number }>(positions: readonly number[], rows: readonly R[]): R[] => {
  const byPosition = new Map(rows.map((row) => [row.pos, row]))
  return positions.flatMap((pos) => byPosition.get(pos) ?? [])
}
