// What answers show of logs: little of each, of a thousand at a time. All bytes of a log leave SQL as one text, since every value that
// leaves it costs.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { endingInList, inList, inLists } from './page.ts'

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

/** In no order; positions whose log a reorg took are left out. */
export async function shownLogsAt(queries: Queries, positions: readonly number[]): Promise<ShownLog[]> {
  const rows = await inLists(positions, (piece) => {
    const { marks, values } = inList(piece)
    return queries.all<Stored>(LOGS(marks), values)
  })
  return rows.map(shownFrom)
}

type Stored = { readonly pos: number; readonly timestampMs: number; readonly bytes: string }

const BYTES = ['b.hash', 'x.hash', 'x.method', 't.address', 't.data', 't.topic0', 't.topic1', 't.topic2', 't.topic3']

const LOGS = endingInList(
  `select t.pos as pos, b.timestamp_ms as "timestampMs", lower(${BYTES.map((column) => `'0x' || hex(${column})`).join(" || ',' || ")}) as bytes
  from logs t join blocks b on b.height = t.pos >> 20 join transactions x on x.pos = t.tx_pos where t.pos`,
)

function shownFrom({ pos, timestampMs, bytes }: Stored): ShownLog {
  const [blockHash, transactionHash, method, address, data, ...topics] = bytes.split(',') as [Hex, Hex, Hex, Hex, Hex]
  // No topic is empty: these are those that the log does not have.
  return { pos, timestampMs, blockHash, transactionHash, method, address, data, topics: topics.filter(isTopic) }
}

function isTopic(hex: string): boolean {
  return hex !== '0x'
}
