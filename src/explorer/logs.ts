// E17 to E19: at most 1,000 logs, the newest first; `truncated` says when there are more, and a cursor gives the next ones (row 28 of
// docs/spec-gaps.md). A log never changes while its block is in the chain, so its JSON is built once and cached in the reader.

import type { ChainReader } from '../store/read/chain-reader.ts'
import { addressLogPositions, shownLogsAt, transactionLogPositions } from '../store/read/logs.ts'
import type { Page } from '../store/read/page.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import { cursorFrom, keyFrom } from './lists/paging.ts'
import { logRecord } from './records/log-record.ts'
import type { AnswerTo, ChainContext } from './state/chain-context.ts'

const MAX_LOGS = 1_000

export const logsByAddress: AnswerTo<'logsByAddress'> = (chain, { address, after }) =>
  newestLogs(chain, (page) => addressLogPositions(chain.reader, { address }, page), after)

export const logsByAddressAndTopic: AnswerTo<'logsByAddressAndTopic'> = (chain, params) => {
  const { address, topic0, topic1, topic2, topic3, startBlockHeight: from, endBlockHeight: to } = params
  const filter = { address, topics: [topic0, topic1, topic2, topic3], from, to }
  return newestLogs(chain, (page) => addressLogPositions(chain.reader, filter, page), params.after)
}

export const logsByBlockAndAddress: AnswerTo<'logsByBlockAndAddress'> = (chain, params) => {
  const filter = { address: params.address, from: params.startBlockHeight, to: params.endBlockHeight }
  return newestLogs(chain, (page) => addressLogPositions(chain.reader, filter, page), params.after)
}

export const logsByTransaction: AnswerTo<'logsByTransaction'> = async (chain, { txId, after }) => {
  const [transaction] = await transactionsByHash(chain.reader, [txId])
  if (!transaction) return { data: [] }
  return newestLogs(chain, (page) => transactionLogPositions(chain.reader, transaction.pos, page), after)
}

async function newestLogs(
  { reader }: ChainContext,
  positionsOf: (page: Page) => Promise<number[]>,
  after: string | undefined,
) {
  const beyond = after === undefined ? undefined : Number(keyFrom('logs', ['position'], after)[0])
  const found = await positionsOf({ limit: MAX_LOGS + 1, beyond })
  const positions = found.slice(0, MAX_LOGS)
  const json = `[${(await textsOf(reader, positions)).join(',')}]`
  return {
    dataJson: () => json,
    // Pages and streams read records; the API sends the JSON as it is.
    get data(): ReturnType<typeof logRecord>[] {
      return JSON.parse(json)
    },
    ...(found.length > MAX_LOGS && { truncated: true, nextCursor: cursorFrom('logs', [positions.at(-1)!]) }),
  }
}

/** In the order of the positions. */
async function textsOf(reader: ChainReader, positions: readonly number[]): Promise<string[]> {
  const texts = positions.map((pos) => reader.cache.logText(pos))
  const missing = positions.filter((_, i) => texts[i] === undefined)
  if (missing.length === 0) return texts as string[]
  const built = new Map<number, string>()
  for (const log of await shownLogsAt(reader, missing)) built.set(log.pos, JSON.stringify(logRecord(log)))
  for (const [pos, text] of built) reader.cache.setLogText(pos, text)
  return positions.flatMap((pos, i) => texts[i] ?? built.get(pos) ?? [])
}
