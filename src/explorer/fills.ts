// Transaction details: the transactions, their call data, their token transfers and their internal transactions.
import type { Hex } from '../chain/hex.ts'
import { internalsOfTransactions } from '../store/read/internals.ts'
import { transactionInput, transactionsByHash } from '../store/read/transactions.ts'
import { transfersOfTransactions } from '../store/read/transfers.ts'
import { type AnswerTo, viewOf } from './chain-now.ts'
import { fillsRecord } from './records/fills-record.ts'

/** Transfers and internal transactions a request shows, each; E11 and E13 page through more. */
const MOST_PARTS = 2_000

export const transactionFills: AnswerTo<'transactionFills'> = async (now, { txid }) => {
  const { queries } = now
  const rows = await transactionsByHash(queries, [...new Set(txid)] as Hex[])
  const positions = rows.map(({ pos }) => pos)
  const [inputs, transfers, internals] = await Promise.all([
    Promise.all(positions.map((pos) => transactionInput(queries, pos))),
    transfersOfTransactions(queries, { positions }, { limit: MOST_PARTS + 1 }),
    internalsOfTransactions(queries, { positions }, { limit: MOST_PARTS + 1 }),
  ])
  const isTruncated = transfers.length > MOST_PARTS || internals.length > MOST_PARTS
  const view = await viewOf(now, [...rows, ...transfers, ...internals])
  const partsOf = <R extends { readonly txPos: number }>(parts: readonly R[], pos: number): readonly R[] =>
    parts.slice(0, MOST_PARTS).filter(({ txPos }) => txPos === pos)
  const data = rows.map((row, i) =>
    fillsRecord(view, {
      row,
      input: inputs[i] ?? '0x',
      transfers: partsOf(transfers, row.pos),
      internals: partsOf(internals, row.pos),
    }),
  )
  return isTruncated ? { data, truncated: true } : { data }
}
