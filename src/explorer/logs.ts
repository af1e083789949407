// E17 to E19: at most 1,000 logs, the newest first; `truncated` says when there were more, and a cursor walks on (row 28
// of docs/spec-gaps.md).
import type { Hex } from '../chain/hex.ts'
import type { InTransaction } from '../store/read/in-chain.ts'
import { addressLogs, transactionLogs } from '../store/read/logs.ts'
import type { Page } from '../store/read/page.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import type { LogRow } from '../store/rows.ts'
import type { AnswerTo } from './chain-now.ts'
import { cursorFrom, keyFrom } from './cursor.ts'
import { logRecord } from './records/log-record.ts'

const MOST_LOGS = 1_000

export const logsByAddress: AnswerTo<'logsByAddress'> = ({ queries }, { address, after }) =>
  newestLogs((page) => addressLogs(queries, { address: address as Hex }, page), after)

export const logsByAddressAndTopic: AnswerTo<'logsByAddressAndTopic'> = ({ queries }, params) => {
  const topics = [params.topic0, params.topic1, params.topic2, params.topic3] as Hex[]
  const filter = { address: params.address as Hex, topics, from: params.startBlockHeight, to: params.endBlockHeight }
  return newestLogs((page) => addressLogs(queries, filter, page), params.after)
}

export const logsByBlockAndAddress: AnswerTo<'logsByBlockAndAddress'> = ({ queries }, params) => {
  const filter = { address: params.address as Hex, from: params.startBlockHeight, to: params.endBlockHeight }
  return newestLogs((page) => addressLogs(queries, filter, page), params.after)
}

export const logsByTransaction: AnswerTo<'logsByTransaction'> = async ({ queries }, { txId, after }) => {
  const [transaction] = await transactionsByHash(queries, [txId as Hex])
  if (!transaction) return { data: [] }
  return newestLogs((page) => transactionLogs(queries, { pos: transaction.pos, order: 'newest' }, page), after)
}

const newestLogs = async (read: (page: Page) => Promise<InTransaction<LogRow>[]>, after: string | undefined) => {
  const beyond = after === undefined ? undefined : Number(keyFrom('logs', ['position'], after)[0])
  const found = await read({ limit: MOST_LOGS + 1, beyond })
  const rows = found.slice(0, MOST_LOGS)
  const data = rows.map(logRecord)
  return found.length > MOST_LOGS
    ? { data, truncated: true, nextCursor: cursorFrom('logs', [rows.at(-1)!.pos]) }
    : { data }
}
