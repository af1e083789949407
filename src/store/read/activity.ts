// What an address took part in, newest first: the one index behind every list by address.
import type { Hex } from '../../chain/hex.ts'
import type { Queries } from '../database.ts'
import { type HeightRange, positionsWithin } from '../position.ts'
import type { InternalRow, TokenKind, TransferRow } from '../rows.ts'
import { hexToStored } from '../table.ts'
import { ACTIVITY_KINDS, type ActivityKind, FROM, internals, TO, transfers } from '../tables.ts'
import { childrenAt, type InBlock, type InTransaction, type TransactionSummary, transactionsAt } from './in-chain.ts'
import { type ConditionedFrom, countOf, createParameters, keysOf, type Order, type Page } from './page.ts'

export type ActivityFilter = HeightRange & {
  readonly address: Hex
  /** As sender or as recipient only. */
  readonly role?: 'from' | 'to' | undefined
  readonly token?: Hex | undefined
  readonly order?: Order | undefined
}

type KindFilter<K extends ActivityKind = ActivityKind> = ActivityFilter & { readonly kind: K }

export const addressTransactions = async (
  queries: Queries,
  filter: ActivityFilter,
  page: Page,
): Promise<InBlock<TransactionSummary>[]> =>
  transactionsAt(queries, await activityKeys(queries, { ...filter, kind: 'transaction' }, page))

export const addressInternals = async (
  queries: Queries,
  filter: ActivityFilter,
  page: Page,
): Promise<InTransaction<InternalRow>[]> =>
  childrenAt(queries, internals, await activityKeys(queries, { ...filter, kind: 'internal' }, page))

export const addressTransfers = async (
  queries: Queries,
  filter: KindFilter<TokenKind>,
  page: Page,
): Promise<InTransaction<TransferRow>[]> => childrenAt(queries, transfers, await activityKeys(queries, filter, page))

/** Exact, or up to `atMost`. */
export const countActivity = (queries: Queries, filter: KindFilter, atMost?: number): Promise<number> =>
  countOf(queries, activityOf(filter), atMost)

/** How many different addresses called one; it must not have been called more often than is worth reading. */
export const countCallers = async (
  queries: Queries,
  filter: Omit<ActivityFilter, 'role' | 'token'>,
): Promise<number> => {
  const parameters = createParameters()
  const callsOf = (kind: 'transaction' | 'internal', table: string): string => {
    const { conditions } = activityOf({ ...filter, role: 'to', kind }, parameters)
    return `select sender from ${table} where pos in (select pos from activity where ${conditions.join(' and ')})`
  }
  const [row] = await queries.all<{ count: number }>(
    `select count(*) as count from (${callsOf('transaction', 'transactions')} union ${callsOf('internal', 'internals')}) x`,
    parameters.values,
  )
  return row!.count
}

/** Positions of the oldest and the newest entry. */
export const activityEnds = async (
  queries: Queries,
  filter: KindFilter,
): Promise<{ first: number; last: number } | undefined> => {
  const [first] = await activityKeys(queries, { ...filter, order: 'oldest' }, { limit: 1 })
  const [last] = await activityKeys(queries, { ...filter, order: 'newest' }, { limit: 1 })
  return first === undefined || last === undefined ? undefined : { first, last }
}

const activityKeys = (queries: Queries, filter: KindFilter, page: Page): Promise<number[]> =>
  keysOf(queries, { key: 'pos', from: activityOf(filter), page, order: filter.order })

/** A walk along the primary key (address, kind, pos): filters only skip entries of this address. */
const activityOf = (
  { address, kind, role, token, ...range }: KindFilter,
  parameters = createParameters(),
): ConditionedFrom => {
  const conditions = [
    `address = ${parameters.add(hexToStored(address))}`,
    `kind = ${parameters.add(ACTIVITY_KINDS.indexOf(kind))}`,
  ]
  if (range.from !== undefined || range.to !== undefined) {
    const { first, last } = positionsWithin(range)
    conditions.push(`pos between ${parameters.add(first)} and ${parameters.add(last)}`)
  }
  if (role !== undefined) conditions.push(`role in (${role === 'from' ? FROM : TO}, ${FROM + TO})`)
  if (token !== undefined) conditions.push(`token = ${parameters.add(hexToStored(token))}`)
  return { table: 'activity', conditions, parameters }
}
