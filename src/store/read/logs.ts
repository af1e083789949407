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
  readonly order?: Order | undefined
}

/** Newest first. Index logs_topic with a first topic, otherwise logs_address. */
export const addressLogs = async (
  queries: Queries,
  { address, topics = [], order, ...range }: LogFilter,
  page: Page,
): Promise<InTransaction<LogRow>[]> => {
  const parameters = createParameters()
  const conditions = [`address = ${parameters.add(hexToStored(address))}`]
  for (const [place, topic] of topics.slice(0, MAX_TOPICS).entries()) {
    if (topic != null) conditions.push(`topic${place} = ${parameters.add(hexToStored(topic))}`)
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
