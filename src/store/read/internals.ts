import type { Queries } from '../engine/database.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { InternalRow } from '../schema/rows.ts'
import { internals } from '../schema/tables.ts'
import {
  childrenOfBlock,
  childrenOfTransactions,
  countChildrenOfTransactions,
  type OfTransactions,
} from './children.ts'
import { childrenAt, type InTransaction } from './in-chain.ts'
import { createParameters, keysOf, type Order, type Page } from './page.ts'

/** In preorder of the calls. Index internals_transaction. */
export function internalsOfTransactions(
  queries: Queries,
  filter: Omit<OfTransactions, 'also'>,
  page: Page,
): Promise<InTransaction<InternalRow>[]> {
  return childrenOfTransactions(queries, internals, filter, page)
}

export function countInternalsOfTransactions(queries: Queries, filter: Omit<OfTransactions, 'also'>): Promise<number> {
  return countChildrenOfTransactions(queries, internals, filter)
}

/** In preorder of the calls; the block's `internalCount` says how many there are. */
export function blockInternals(
  queries: Queries,
  filter: { height: number; order?: Order },
  page: Page,
): Promise<InTransaction<InternalRow>[]> {
  return childrenOfBlock(queries, internals, filter, page)
}

/** Of all addresses, between two heights. Primary key. */
export async function internalsWithin(
  queries: Queries,
  { order, ...range }: HeightRange & { readonly order?: Order | undefined },
  page: Page,
): Promise<InTransaction<InternalRow>[]> {
  const parameters = createParameters()
  const { first, last } = positionsWithin(range)
  const conditions = [`pos between ${parameters.add(first)} and ${parameters.add(last)}`]
  const from = { table: 'internals', conditions, parameters }
  return childrenAt(queries, internals, await keysOf(queries, { key: 'pos', from, page, order }))
}
