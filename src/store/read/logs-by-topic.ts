// Logs of all contracts by their topics. No index begins with a topic: a range of blocks is walked, up to a bound.

import type { Queries } from '../engine/database.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { LogRow } from '../schema/rows.ts'
import { logs } from '../schema/tables.ts'
import { childrenAt, type InTransaction } from './in-chain.ts'
import { type TopicFilter, topicConditions } from './logs.ts'
import { createParameters, keysOf, type Page } from './page.ts'

/** So many logs are looked at for one page. */
export const MOST_LOGS_WALKED = 50_000

/** Oldest first. Undefined where the page is not full and the range has more logs than are walked. Primary key of logs. */
export async function logsByTopic(
  queries: Queries,
  { from, to, mostWalked = MOST_LOGS_WALKED, ...topics }: HeightRange & TopicFilter & { readonly mostWalked?: number },
  page: Page,
): Promise<InTransaction<LogRow>[] | undefined> {
  const { first, last } = positionsWithin({ from, to })
  const [bound] = await queries.all<{ pos: number }>(
    `select pos from logs where pos between $1 and $2 order by pos limit 1 offset ${mostWalked}`,
    [first, last],
  )
  const parameters = createParameters()
  const end = bound ? bound.pos - 1 : last
  const conditions = [
    `pos between ${parameters.add(first)} and ${parameters.add(end)}`,
    ...topicConditions(parameters, topics),
  ]
  const keys = await keysOf(queries, {
    key: 'pos',
    from: { table: 'logs', conditions, parameters },
    page,
    order: 'oldest',
  })
  if (bound && keys.length < page.limit) return undefined
  return childrenAt(queries, logs, keys)
}
