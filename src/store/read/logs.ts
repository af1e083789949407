// Logs by address, by transaction and by topic, and logs as E17 to E19 show them.
import type { Hex } from '../../chain/bytes/hex.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { LogRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { logs } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import { childrenAt, type InTransaction } from './chain-rows.ts'
import { createParameters, keysOf, listStatement, type Order, type Page, rowsInList } from './page.ts'

export type TopicFilter = {
  /** By position in the log; null or undefined matches anything. */
  readonly topics?: readonly (Hex | null | undefined)[] | undefined
  /** Pairs of positions of which one match is enough; all others must match. */
  readonly either?: readonly (readonly [number, number])[] | undefined
}

export type LogFilter = HeightRange &
  TopicFilter & {
    readonly address: Hex
    readonly order?: Order | undefined
  }

export async function addressLogs(reader: Reader, filter: LogFilter, page: Page): Promise<InTransaction<LogRow>[]> {
  return childrenAt(reader, logs, await addressLogPositions(reader, filter, page))
}

/** Newest first. Index logs_topic with a first topic, otherwise logs_address. */
export async function addressLogPositions(
  reader: Reader,
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
  return keysOf(reader, { key: 'pos', from: { table: 'logs', conditions, parameters }, page, order })
}

/** Newest first. Index logs_transaction. */
export function transactionLogPositions(reader: Reader, txPos: number, page: Page): Promise<number[]> {
  const parameters = createParameters()
  const conditions = [`tx_pos = ${parameters.add(txPos)}`]
  return keysOf(reader, { key: 'pos', from: { table: 'logs', conditions, parameters }, page })
}

export function topicConditions(
  parameters: ReturnType<typeof createParameters>,
  { topics = [], either = [] }: TopicFilter,
): string[] {
  return groupsOf(topics, either).map((positions) => {
    const alternatives = positions.map(
      (position) => `topic${position} = ${parameters.add(hexToStored(topics[position]!))}`,
    )
    return `(${alternatives.join(' or ')})`
  })
}

const MAX_TOPICS = 4

/** Positions with a topic, each in a group with those that it is an alternative to. */
function groupsOf(topics: NonNullable<TopicFilter['topics']>, either: NonNullable<TopicFilter['either']>): number[][] {
  let groups = topics.slice(0, MAX_TOPICS).flatMap((topic, position) => (topic == null ? [] : [[position]]))
  for (const pair of either) {
    const joined = groups.filter((positions) => positions.some((position) => pair.includes(position)))
    if (joined.length === 2) groups = [...groups.filter((positions) => !joined.includes(positions)), joined.flat()]
  }
  return groups
}

/** How many logs are read for one page. */
export const MOST_LOGS_WALKED = 50_000

/**
 * Logs of all contracts, oldest first. No index begins with a topic, so a range of blocks is walked by the primary key, up to a bound.
 * Undefined where the page is not full and the range has more logs than are walked.
 */
export async function logsByTopic(
  reader: Reader,
  { from, to, mostWalked = MOST_LOGS_WALKED, ...topics }: HeightRange & TopicFilter & { readonly mostWalked?: number },
  page: Page,
): Promise<InTransaction<LogRow>[] | undefined> {
  const { first, last } = positionsWithin({ from, to })
  const [bound] = await reader.all<{ pos: number }>(
    `select pos
     from logs
     where pos between $1 and $2
     order by pos
     limit 1 offset ${mostWalked}`,
    [first, last],
  )
  const parameters = createParameters()
  const end = bound ? bound.pos - 1 : last
  const conditions = [
    `pos between ${parameters.add(first)} and ${parameters.add(end)}`,
    ...topicConditions(parameters, topics),
  ]
  const keys = await keysOf(reader, {
    key: 'pos',
    from: { table: 'logs', conditions, parameters },
    page,
    order: 'oldest',
  })
  if (bound && keys.length < page.limit) return undefined
  return childrenAt(reader, logs, keys)
}

/** A log as answers show it, a thousand at a time: only the columns that they need. */
export type ShownLog = {
  readonly pos: number
  readonly timestampMs: number
  readonly blockHash: Hex
  readonly transactionHash: Hex
  /** First four bytes of the transaction's input. */
  readonly method: Hex
  readonly address: Hex
  readonly data: Hex
  readonly topics: readonly Hex[]
}

type StoredLog = { readonly pos: number; readonly timestampMs: number; readonly bytes: string }

const BYTES = ['b.hash', 'x.hash', 'x.method', 't.address', 't.data', 't.topic0', 't.topic1', 't.topic2', 't.topic3']

/** By primary keys. All bytes of a log leave SQL as one text, since every value that leaves it costs. */
const SHOWN_LOGS = listStatement(
  (marks) => `
    select t.pos as pos,
      b.timestamp_ms as "timestampMs",
      lower(${BYTES.map((column) => `'0x' || hex(${column})`).join(" || ',' || ")}) as bytes
    from logs t
    join blocks b on b.height = t.pos >> 20
    join transactions x on x.pos = t.tx_pos
    where t.pos in (${marks})`,
)

/** In no order; positions whose log a reorg removed are left out. */
export async function shownLogsAt(reader: Reader, positions: readonly number[]): Promise<ShownLog[]> {
  return (await rowsInList<StoredLog>(reader, SHOWN_LOGS, positions)).map(shownFrom)
}

function shownFrom({ pos, timestampMs, bytes }: StoredLog): ShownLog {
  const [blockHash, transactionHash, method, address, data, ...topics] = bytes.split(',') as [Hex, Hex, Hex, Hex, Hex]
  // No topic is empty; empty ones are those that the log does not have.
  return { pos, timestampMs, blockHash, transactionHash, method, address, data, topics: topics.filter(isTopic) }
}

function isTopic(hex: string): boolean {
  return hex !== '0x'
}
