// Transaction details: the transactions, their call data in words, their token transfers and their internal transactions.
import type { Hex } from '../chain/bytes/hex.ts'
import { Failure } from '../contract/failure.ts'
import { internalsOfTransactions } from '../store/read/internals.ts'
import { traceGapsAt } from '../store/read/trace-gaps.ts'
import { longColumns, transactionsByHash } from '../store/read/transactions.ts'
import { transfersOfTransactions } from '../store/read/transfers.ts'
import { fillsRecord } from './records/fills-record.ts'
import { type AnswerTo, type ChainContext, recordViewOf } from './state/chain-context.ts'

/** How many transfers, and how many internal transactions, one answer shows; E11 and E13 page through more. */
const MOST_PARTS = 2_000

export const transactionFills: AnswerTo<'transactionFills'> = async (chain, { txid }) => {
  const { reader } = chain
  const rows = await transactionsByHash(reader, [...new Set(txid)])
  const positions = rows.map(({ pos }) => pos)
  const [long, transfers, internals, gaps] = await Promise.all([
    longColumns(reader, positions),
    transfersOfTransactions(reader, { positions }, { limit: MOST_PARTS + 1 }),
    internalsOfTransactions(reader, { positions }, { limit: MOST_PARTS + 1 }),
    traceGapsAt(reader, positions),
  ])
  const calls = await Promise.all(rows.map(({ pos, recipient }) => decodedCall(chain, recipient, long.get(pos)?.input)))
  const isTruncated = transfers.length > MOST_PARTS || internals.length > MOST_PARTS
  const view = await recordViewOf(chain, [...rows, ...transfers, ...internals])
  const partsOf = <R extends { readonly txPos: number }>(parts: readonly R[], pos: number): readonly R[] =>
    parts.slice(0, MOST_PARTS).filter(({ txPos }) => txPos === pos)
  const data = rows.map((row, i) =>
    fillsRecord(view, {
      row,
      input: long.get(row.pos)?.input ?? '0x',
      unknownFields: long.get(row.pos)?.unknownFields ?? null,
      call: calls[i],
      transfers: partsOf(transfers, row.pos),
      internals: partsOf(internals, row.pos),
      areInternalsComplete: !gaps.has(row.pos),
    }),
  )
  return isTruncated ? { data, truncated: true } : { data }
}

/** Undefined for creations and plain transfers, for unknown selectors, and while the node does not answer. */
async function decodedCall({ verification }: ChainContext, recipient: Hex | null, input: Hex | undefined) {
  if (!verification || recipient === null || input === undefined) return undefined
  return verification.decoder.call(input, recipient).catch((error) => {
    if (error instanceof Failure) return undefined
    throw error
  })
}
