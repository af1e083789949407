// Logs, transfers and internal calls of transactions and of blocks.
import type { Queries } from '../engine/database.ts'
import { positionsWithin } from '../schema/position.ts'
import type { Table } from '../schema/table.ts'
import { childrenAt, type InTransaction } from './in-chain.ts'
import { type ConditionedFrom, countOf, createParameters, inList, keysOf, type Order, type Page } from './page.ts'

type Child = { readonly pos: number }

export type OfTransactions = {
  /** Positions of at most 1,000 transactions. */
  readonly positions: readonly number[]
  readonly also?: readonly string[]
  readonly order?: Order | undefined
}

/** Oldest first, as they happened. */
export async function childrenOfTransactions<R extends Child>(
  queries: Queries,
  table: Table<R>,
  filter: OfTransactions,
  page: Page,
): Promise<InTransaction<R>[]> {
  if (filter.positions.length === 0) return []
  const from = ofTransactions(table, filter)
  return childrenAt(queries, table, await keysOf(queries, { key: 'pos', from, page, order: filter.order ?? 'oldest' }))
}

export async function countChildrenOfTransactions<R extends Child>(
  queries: Queries,
  table: Table<R>,
  filter: OfTransactions,
): Promise<number> {
  return filter.positions.length === 0 ? 0 : countOf(queries, ofTransactions(table, filter))
}

/** Oldest first, as they happened. */
export async function childrenOfBlock<R extends Child>(
  queries: Queries,
  table: Table<R>,
  { height, also = [], order = 'oldest' }: { height: number; also?: readonly string[]; order?: Order | undefined },
  page: Page,
): Promise<InTransaction<R>[]> {
  const parameters = createParameters()
  const { first, last } = positionsWithin({ from: height, to: height })
  const conditions = [`pos between ${parameters.add(first)} and ${parameters.add(last)}`, ...also]
  const from = { table: table.name, conditions, parameters }
  return childrenAt(queries, table, await keysOf(queries, { key: 'pos', from, page, order }))
}

/** What is sorted here is no more than what these transactions did. */
function ofTransactions<R>(table: Table<R>, { positions, also = [] }: OfTransactions): ConditionedFrom {
  const parameters = createParameters()
  const { marks, values } = inList(positions)
  for (const value of values) parameters.add(value)
  return { table: table.name, conditions: [`tx_pos in (${marks})`, ...also], parameters }
}
