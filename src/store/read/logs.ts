import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { LogRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { logs } from '../schema/tables.ts'
import { childrenAt, type InTransaction } from './in-chain.ts'
import { createParameters, keysOf, type Order, type Page } from './page.ts'

export type TopicFilter = {
  /** What stands at each place; null or missing for anything. */
  readonly topics?: readonly (Hex | null | undefined)[] | undefined
  /** Pairs of places of which one topic is enough; all others must all be there. */
  readonly either?: readonly (readonly [number, number])[] | undefined
}

export type LogFilter = HeightRange &
  TopicFilter & {
    readonly address: Hex
    readonly order?: Order | undefined
  }

export async function addressLogs(queries: Queries, filter: LogFilter, page: Page): Promise<InTransaction<LogRow>[]> {
  return childrenAt(queries, logs, await addressLogPositions(queries, filter, page))
}

/** Newest first. Index logs_topic with a first topic, otherwise logs_address. */
export async function addressLogPositions(
  queries: Queries,
  { address, topics, either, order, ...range }: LogFilter,
  page: Page,
): Promise<number[]> {
  const parameters = createParameters()
  const conditions = [
    `address = ${parameters.add(hexToStored(address))}`,
    ...topicConditions(parameters, { topics, either }),
  ]
  if (range.from !== undefined || range.to !== undefined) {
    const { first, last } = positionsWithin(range)
    conditions.push(`pos between ${parameters.add(first)} and ${parameters.add(last)}`)
  }
  return keysOf(queries, { key: 'pos', from: { table: 'logs', conditions, parameters }, page, order })
}

/** Newest first. Index logs_transaction. */
export function transactionLogPositions(queries: Queries, txPos: number, page: Page): Promise<number[]> {
  const parameters = createParameters()
  const conditions = [`tx_pos = ${parameters.add(txPos)}`]
  return keysOf(queries, { key: 'pos', from: { table: 'logs', conditions, parameters }, page })
}

export function topicConditions(
  parameters: ReturnType<typeof createParameters>,
  { topics = [], either = [] }: TopicFilter,
): string[] {
  return groupsOf(topics, either).map((places) => {
    const alternatives = places.map((place) => `topic${place} = ${parameters.add(hexToStored(topics[place]!))}`)
    return `(${alternatives.join(' or ')})`
  })
}

const MAX_TOPICS = 4

/** The places that have a topic, together with those that may stand in for them. */
function groupsOf(topics: NonNullable<TopicFilter['topics']>, either: NonNullable<TopicFilter['either']>): number[][] {
  let groups = topics.slice(0, MAX_TOPICS).flatMap((topic, place) => (topic == null ? [] : [[place]]))
  for (const pair of either) {
    const joined = groups.filter((places) => places.some((place) => pair.includes(place)))
    if (joined.length === 2) groups = [...groups.filter((places) => !joined.includes(places)), joined.flat()]
  }
  return groups
}
