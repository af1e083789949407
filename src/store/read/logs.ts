import type { Hex } from '../../chain/hex.ts'
import type { Queries } from '../database.ts'
import { type HeightRange, positionsWithin } from '../position.ts'
import type { LogRow } from '../rows.ts'
import { hexToStored } from '../table.ts'
import { logs } from '../tables.ts'
import { childrenOfTransactions } from './children.ts'
import { childrenAt, type InTransaction } from './in-chain.ts'
import { createParameters, keysOf, type Order, type Page } from './page.ts'

export type LogFilter = HeightRange & {
  readonly address: Hex
  /** What stands at each place; null or missing for anything. */
  readonly topics?: readonly (Hex | null | undefined)[] | undefined
  /** Pairs of places of which one topic is enough; all others must all be there. */
  readonly either?: readonly (readonly [number, number])[] | undefined
  readonly order?: Order | undefined
}

/** Newest first. Index logs_topic with a first topic, otherwise logs_address. */
export const addressLogs = async (
  queries: Queries,
  { address, topics = [], either = [], order, ...range }: LogFilter,
  page: Page,
): Promise<InTransaction<LogRow>[]> => {
  const parameters = createParameters()
  const conditions = [`address = ${parameters.add(hexToStored(address))}`]
  for (const places of groupsOf(topics, either)) {
    const alternatives = places.map((place) => `topic${place} = ${parameters.add(hexToStored(topics[place]!))}`)
    conditions.push(`(${alternatives.join(' or ')})`)
  }
  if (range.from !== undefined || range.to !== undefined) {
    const { first, last } = positionsWithin(range)
    conditions.push(`pos between ${parameters.add(first)} and ${parameters.add(last)}`)
  }
  const from = { table: 'logs', conditions, parameters }
  return childrenAt(queries, logs, await keysOf(queries, { key: 'pos', from, page, order }))
}

/** Oldest first, by log index. Index logs_transaction. */
export const transactionLogs = (
  queries: Queries,
  { pos, order }: { pos: number; order?: Order },
  page: Page,
): Promise<InTransaction<LogRow>[]> => childrenOfTransactions(queries, logs, { positions: [pos], order }, page)

const MAX_TOPICS = 4

/** The places that have a topic, together with those that may stand in for them. */
const groupsOf = (topics: NonNullable<LogFilter['topics']>, either: NonNullable<LogFilter['either']>): number[][] => {
  let groups = topics.slice(0, MAX_TOPICS).flatMap((topic, place) => (topic == null ? [] : [[place]]))
  for (const pair of either) {
    const joined = groups.filter((places) => places.some((place) => pair.includes(place)))
    if (joined.length === 2) groups = [...groups.filter((places) => !joined.includes(places)), joined.flat()]
  }
  return groups
}
