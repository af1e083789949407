// E17 to E19: at most 1,000 logs, the newest first; `truncated` says when there were more, and a cursor walks on (row 28
// of docs/spec-gaps.md). A log never changes while its block stands, so that its JSON is made once and kept as long as the store's
// readers remember.
import type { Hex } from '../chain/bytes/hex.ts'
import { withJsonOfData } from '../lib/json/json-text.ts'
import type { Queries } from '../store/engine/database.ts'
import { memoryOf } from '../store/read/chain-reader.ts'
import { addressLogPositions, transactionLogPositions } from '../store/read/logs.ts'
import type { Page } from '../store/read/page.ts'
import { shownLogsAt } from '../store/read/shown-logs.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import { cursorFrom, keyFrom } from './lists/cursor.ts'
import { logRecord } from './records/log-record.ts'
import type { AnswerTo, ChainNow } from './state/chain-now.ts'

const MOST_LOGS = 1_000
/** What somebody writes into a log may be of any length. */
const LONGEST_KEPT = 2_000

export const logsByAddress: AnswerTo<'logsByAddress'> = (now, { address, after }) =>
  newestLogs(now, (page) => addressLogPositions(now.queries, { address: address as Hex }, page), after)

export const logsByAddressAndTopic: AnswerTo<'logsByAddressAndTopic'> = (now, params) => {
  const topics = [params.topic0, params.topic1, params.topic2, params.topic3] as Hex[]
  const filter = { address: params.address as Hex, topics, from: params.startBlockHeight, to: params.endBlockHeight }
  return newestLogs(now, (page) => addressLogPositions(now.queries, filter, page), params.after)
}

export const logsByBlockAndAddress: AnswerTo<'logsByBlockAndAddress'> = (now, params) => {
  const filter = { address: params.address as Hex, from: params.startBlockHeight, to: params.endBlockHeight }
  return newestLogs(now, (page) => addressLogPositions(now.queries, filter, page), params.after)
}

export const logsByTransaction: AnswerTo<'logsByTransaction'> = async (now, { txId, after }) => {
  const [transaction] = await transactionsByHash(now.queries, [txId as Hex])
  if (!transaction) return { data: [] }
  return newestLogs(now, (page) => transactionLogPositions(now.queries, transaction.pos, page), after)
}

async function newestLogs(
  { queries }: ChainNow,
  positionsOf: (page: Page) => Promise<number[]>,
  after: string | undefined,
) {
  const beyond = after === undefined ? undefined : Number(keyFrom('logs', ['position'], after)[0])
  const found = await positionsOf({ limit: MOST_LOGS + 1, beyond })
  const positions = found.slice(0, MOST_LOGS)
  const texts = await textsOf(queries, positions)
  const isTruncated = found.length > MOST_LOGS
  const rest = isTruncated ? { truncated: true, nextCursor: cursorFrom('logs', [positions.at(-1)!]) } : {}
  return withJsonOfData<ReturnType<typeof logRecord>[], typeof rest>(`[${texts.join(',')}]`, rest)
}

/** In the order of their positions. */
async function textsOf(queries: Queries, positions: readonly number[]): Promise<string[]> {
  const kept = memoryOf(queries)?.lasting.logTexts
  const texts = positions.map((pos) => kept?.get(pos))
  const unknown = positions.filter((_, i) => texts[i] === undefined)
  if (unknown.length === 0) return texts as string[]
  const made = new Map<number, string>()
  for (const log of await shownLogsAt(queries, unknown)) made.set(log.pos, JSON.stringify(logRecord(log)))
  for (const [pos, text] of made) if (text.length <= LONGEST_KEPT) kept?.set(pos, text)
  return positions.flatMap((pos, i) => texts[i] ?? made.get(pos) ?? [])
}
