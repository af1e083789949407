// What an address took part in, newest first. One index is behind every list by address: the primary key of activity.
import type { Hex } from '../../chain/bytes/hex.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { InternalRow, TokenKind, TransferRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { ACTIVITY_KINDS, type ActivityKind, FROM, internals, TO, transfers } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import { childrenAt, type InBlock, type InTransaction, type TransactionSummary, transactionsAt } from './chain-rows.ts'
import { type ConditionedFrom, countOf, createParameters, keysOf, type Order, type Page } from './page.ts'

export type ActivityFilter = HeightRange & {
  readonly address: Hex
  /** As sender or as recipient only. */
  readonly role?: 'from' | 'to' | undefined
  readonly token?: Hex | undefined
  readonly order?: Order | undefined
}

type KindFilter<K extends ActivityKind = ActivityKind> = ActivityFilter & {
  readonly kind: K
  /** Nothing before this position in the order of the list. */
  readonly start?: number | undefined
}

export async function addressTransactions(
  reader: Reader,
  filter: ActivityFilter,
  page: Page,
): Promise<InBlock<TransactionSummary>[]> {
  return transactionsAt(reader, await activityKeys(reader, { ...filter, kind: 'transaction' }, page))
}

export async function addressInternals(
  reader: Reader,
  filter: ActivityFilter,
  page: Page,
): Promise<InTransaction<InternalRow>[]> {
  return childrenAt(reader, internals, await activityKeys(reader, { ...filter, kind: 'internal' }, page))
}

export async function addressTransfers(
  reader: Reader,
  filter: KindFilter<TokenKind>,
  page: Page,
): Promise<InTransaction<TransferRow>[]> {
  return childrenAt(reader, transfers, await activityKeys(reader, filter, page))
}

/** Exact, or up to `atMost`. */
export function countActivity(reader: Reader, filter: KindFilter, atMost?: number): Promise<number> {
  return countOf(reader, activityOf(filter), atMost)
}

/** How many different addresses called this one. Reads every call, so the caller must bound how many there are. */
export async function countCallers(reader: Reader, filter: Omit<ActivityFilter, 'role' | 'token'>): Promise<number> {
  const parameters = createParameters()
  const callsOf = (kind: 'transaction' | 'internal', table: string): string => {
    const { conditions } = activityOf({ ...filter, role: 'to', kind }, parameters)
    return `
      select sender from ${table}
      where pos in (select pos from activity where ${conditions.join(' and ')})`
  }
  const [row] = await reader.all<{ count: number }>(
    `select count(*) as count
     from (
       ${callsOf('transaction', 'transactions')}
       union
       ${callsOf('internal', 'internals')}
     ) x`,
    parameters.values,
  )
  return row!.count
}

/** Positions of the oldest and the newest entry. */
export async function activityEnds(
  reader: Reader,
  filter: KindFilter,
): Promise<{ first: number; last: number } | undefined> {
  const [first] = await activityKeys(reader, { ...filter, order: 'oldest' }, { limit: 1 })
  const [last] = await activityKeys(reader, { ...filter, order: 'newest' }, { limit: 1 })
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** From this offset on the first row of a page is cached: the index counts its way to an offset row by row. */
const DEEP_OFFSET = 100

async function activityKeys(reader: Reader, filter: KindFilter, page: Page): Promise<number[]> {
  const { limit, offset = 0 } = page
  const cache = offset < DEEP_OFFSET ? undefined : reader.cache
  if (!cache) return keysOf(reader, { key: 'pos', from: activityOf(filter), page, order: filter.order })
  const list = frontOf(filter)
  const start = cache.pageStart(`${list} ${offset}`)
  const rest = start === undefined ? page : { limit }
  const keys = await keysOf(reader, {
    key: 'pos',
    from: activityOf({ ...filter, start }),
    page: rest,
    order: filter.order,
  })
  if (keys.length > 0) cache.setPageStart(`${list} ${offset}`, keys[0]!)
  // A page is read with one row more than it shows: the first row of the next page.
  if (keys.length === limit) cache.setPageStart(`${list} ${offset + limit - 1}`, keys.at(-1)!)
  return keys
}

/** Everything that decides which row is at an offset: the whole filter but its far end. */
function frontOf({ address, kind, role, token, from, to, order }: KindFilter): string {
  return [address, kind, role, token, order, order === 'oldest' ? from : to].join(' ')
}

/** A walk along the primary key (address, kind, pos): filters only skip entries of this address. */
function activityOf(
  { address, kind, role, token, order, start, ...range }: KindFilter,
  parameters = createParameters(),
): ConditionedFrom {
  const conditions = [
    `address = ${parameters.add(hexToStored(address))}`,
    `kind = ${parameters.add(ACTIVITY_KINDS.indexOf(kind))}`,
  ]
  if (range.from !== undefined || range.to !== undefined || start !== undefined) {
    const { first, last } = positionsWithin(range)
    const [low, high] = order === 'oldest' ? [start ?? first, last] : [first, start ?? last]
    conditions.push(`pos between ${parameters.add(low)} and ${parameters.add(high)}`)
  }
  if (role !== undefined) conditions.push(`role in (${role === 'from' ? FROM : TO}, ${FROM + TO})`)
  if (token !== undefined) conditions.push(`token = ${parameters.add(hexToStored(token))}`)
  return { table: 'activity', conditions, parameters }
}
