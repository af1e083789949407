import type { Queries } from '../database.ts'
import type { InternalRow } from '../rows.ts'
import { internals } from '../tables.ts'
import {
  childrenOfBlock,
  childrenOfTransactions,
  countChildrenOfTransactions,
  type OfTransactions,
} from './children.ts'
import type { InTransaction } from './in-chain.ts'
import type { Order, Page } from './page.ts'

/** In preorder of the calls. Index internals_transaction. */
export const internalsOfTransactions = (
  queries: Queries,
  filter: Omit<OfTransactions, 'also'>,
  page: Page,
): Promise<InTransaction<InternalRow>[]> => childrenOfTransactions(queries, internals, filter, page)

export const countInternalsOfTransactions = (queries: Queries, filter: Omit<OfTransactions, 'also'>): Promise<number> =>
  countChildrenOfTransactions(queries, internals, filter)

/** In preorder of the calls; the block's `internalCount` says how many there are. */
export const blockInternals = (
  queries: Queries,
  filter: { height: number; order?: Order },
  page: Page,
): Promise<InTransaction<InternalRow>[]> => childrenOfBlock(queries, internals, filter, page)
