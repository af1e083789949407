import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { InternalRow } from '../schema/rows.ts'
import { internals } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import {
  childrenAt,
  childrenOfBlock,
  childrenOfTransactions,
  countChildrenOfTransactions,
  type InTransaction,
  type OfTransactions,
} from './chain-rows.ts'
import { createParameters, keysOf, type Order, type Page } from './page.ts'

/** In preorder of the calls. Index internals_transaction. */
export function internalsOfTransactions(
  reader: Reader,
  filter: Omit<OfTransactions, 'also'>,
  page: Page,
): Promise<InTransaction<InternalRow>[]> {
  return childrenOfTransactions(reader, internals, filter, page)
}

export function countInternalsOfTransactions(reader: Reader, filter: Omit<OfTransactions, 'also'>): Promise<number> {
  return countChildrenOfTransactions(reader, internals, filter)
}

/** In preorder of the calls; the block's `internalCount` is their number. */
export function blockInternals(
  reader: Reader,
  filter: { height: number; order?: Order },
  page: Page,
): Promise<InTransaction<InternalRow>[]> {
  return childrenOfBlock(reader, internals, filter, page)
}

/** Of all addresses, between two heights. Primary key. */
export async function internalsWithin(
  reader: Reader,
  { order, ...range }: HeightRange & { readonly order?: Order | undefined },
  page: Page,
): Promise<InTransaction<InternalRow>[]> {
  const parameters = createParameters()
  const { first, last } = positionsWithin(range)
  const conditions = [`pos between ${parameters.add(first)} and ${parameters.add(last)}`]
  const from = { table: 'internals', conditions, parameters }
  return childrenAt(reader, internals, await keysOf(reader, { key: 'pos', from, page, order }))
}
