// Transaction details: the transactions, their call data in words, their token transfers and their internal transactions.
import type { Hex } from '../chain/bytes/hex.ts'
import { Failure } from '../contract/failure.ts'
import { internalsOfTransactions } from '../store/read/internals.ts'
import { transactionInputs, transactionsByHash } from '../store/read/transactions.ts'
import { transfersOfTransactions } from '../store/read/transfers.ts'
import { fillsRecord } from './records/fills-record.ts'
import { type AnswerTo, type ChainNow, viewOf } from './state/chain-now.ts'

/** Transfers and internal transactions a request shows, each; E11 and E13 page through more. */
const MOST_PARTS = 2_000

export const transactionFills: AnswerTo<'transactionFills'> = async (now, { txid }) => {
  const { queries } = now
  const rows = await transactionsByHash(queries, [...new Set(txid)] as Hex[])
  const positions = rows.map(({ pos }) => pos)
  const [inputs, transfers, internals] = await Promise.all([
    transactionInputs(queries, positions),
    transfersOfTransactions(queries, { positions }, { limit: MOST_PARTS + 1 }),
    internalsOfTransactions(queries, { positions }, { limit: MOST_PARTS + 1 }),
  ])
  const calls = await Promise.all(rows.map(({ pos, recipient }) => decodedCall(now, recipient, inputs.get(pos))))
  const isTruncated = transfers.length > MOST_PARTS || internals.length > MOST_PARTS
  const view = await viewOf(now, [...rows, ...transfers, ...internals])
  const partsOf = <R extends { readonly txPos: number }>(parts: readonly R[], pos: number): readonly R[] =>
    parts.slice(0, MOST_PARTS).filter(({ txPos }) => txPos === pos)
  const data = rows.map((row, i) =>
    fillsRecord(view, {
      row,
      input: inputs.get(row.pos) ?? '0x',
      call: calls[i],
      transfers: partsOf(transfers, row.pos),
      internals: partsOf(internals, row.pos),
    }),
  )
  return isTruncated ? { data, truncated: true } : { data }
}

/** Undefined for creations and transfers, for what nobody can name, and while the node does not tell what is called. */
async function decodedCall({ verification }: ChainNow, recipient: Hex | null, input: Hex | undefined) {
  if (!verification || recipient === null || input === undefined) return undefined
  return verification.decoder.call(input, recipient).catch((error) => {
    if (error instanceof Failure) return undefined
    throw error
  })
}
