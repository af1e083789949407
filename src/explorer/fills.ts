// Transaction details: the transactions, their call data in words, their token transfers and their internal transactions.
import type { Hex } from '../chain/bytes/hex.ts'
import { Failure } from '../contract/failure.ts'
import { internalsOfTransactions } from '../store/read/internals.ts'
import { traceGapsAt } from '../store/read/trace-gaps.ts'
import { longColumns } from '../store/read/transactions.ts'
import { transfersOfTransactions } from '../store/read/transfers.ts'
import { internalsOf, transfersOf } from './pending-parts.ts'
import { type Filled, fillsRecord } from './records/fills-record.ts'
import type { PendingTransaction } from './records/transaction-record.ts'
import { type AnswerTo, type ChainContext, recordViewOf } from './state/chain-context.ts'
import { findTransactions } from './transactions-by-hash.ts'

/** How many transfers, and how many internal transactions, one answer shows; E11 and E13 page through more. */
const MOST_PARTS = 2_000

export const transactionFills: AnswerTo<'transactionFills'> = async (chain, { txid }) => {
  const { reader } = chain
  const { stored, pending, notes } = await findTransactions(chain, txid)
  const positions = stored.map(({ pos }) => pos)
  const [long, transfers, internals, gaps, filled] = await Promise.all([
    longColumns(reader, positions),
    transfersOfTransactions(reader, { positions }, { limit: MOST_PARTS + 1 }),
    internalsOfTransactions(reader, { positions }, { limit: MOST_PARTS + 1 }),
    traceGapsAt(reader, positions),
    Promise.all(pending.map((row) => filledPending(chain, row))),
  ])
  const isTruncated = transfers.length > MOST_PARTS || internals.length > MOST_PARTS
  const partsOf = <R extends { readonly txPos: number }>(parts: readonly R[], pos: number): readonly R[] =>
    parts.slice(0, MOST_PARTS).filter(({ txPos }) => txPos === pos)
  const all: Omit<Filled, 'call'>[] = [
    ...filled,
    ...stored.map((row) => ({
      row,
      input: long.get(row.pos)?.input ?? ('0x' as const),
      unknownFields: long.get(row.pos)?.unknownFields ?? null,
      transfers: partsOf(transfers, row.pos),
      internals: partsOf(internals, row.pos),
      areInternalsComplete: !gaps.has(row.pos),
    })),
  ]
  const calls = await Promise.all(all.map(({ row, input }) => decodedCall(chain, row.recipient, input)))
  const parts = all.flatMap((each) => [each.row, ...each.transfers, ...each.internals])
  const view = await recordViewOf(chain, parts)
  const data = all.map((each, i) => fillsRecord(view, { ...each, call: calls[i] }))
  return { data, ...notes, ...(isTruncated && { truncated: true }) }
}

async function filledPending(chain: ChainContext, row: PendingTransaction): Promise<Omit<Filled, 'call'>> {
  const { internals, isComplete } = await internalsOf(chain, row)
  return {
    row,
    input: row.input,
    unknownFields: null,
    transfers: transfersOf(row).slice(0, MOST_PARTS),
    internals: internals.slice(0, MOST_PARTS),
    areInternalsComplete: isComplete && internals.length <= MOST_PARTS,
  }
}

/** Undefined for creations and plain transfers, for unknown selectors, and while the node does not answer. */
async function decodedCall({ verification }: ChainContext, recipient: Hex | null, input: Hex | undefined) {
  if (!verification || recipient === null || input === undefined) return undefined
  return verification.decoder.call(input, recipient).catch((error) => {
    if (error instanceof Failure) return undefined
    throw error
  })
}
