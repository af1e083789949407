// Transactions by hash, wherever they are: in the index, preconfirmed above it, or in a pool.
import type { Hex } from '../chain/bytes/hex.ts'
import type { InBlock, TransactionSummary } from '../store/read/chain-rows.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import { pendingByHash } from './pending-transactions.ts'
import type { PendingTransaction } from './records/transaction-record.ts'
import type { ChainContext } from './state/chain-context.ts'

export type FoundTransactions = {
  readonly stored: readonly InBlock<TransactionSummary>[]
  readonly pending: readonly PendingTransaction[]
  /** What an answer says of them as a whole. */
  readonly notes: {
    /** Not all are in the index, so the answer may change before the chain does. */
    readonly isVolatile?: true
    /** The node could not be asked for those that are nowhere else. */
    readonly msg?: string
  }
}

/** A hash that is given twice is answered once. */
export async function findTransactions(chain: ChainContext, hashes: readonly Hex[]): Promise<FoundTransactions> {
  const wanted = [...new Set(hashes)]
  const stored = await transactionsByHash(chain.reader, wanted)
  if (stored.length === wanted.length) return { stored, pending: [], notes: {} }
  const known = new Set(stored.map(({ hash }) => hash))
  const { found, areAllKnown } = await pendingByHash(
    chain,
    wanted.filter((hash) => !known.has(hash)),
  )
  return {
    stored,
    pending: found.toReversed().sort((a, b) => a.pos - b.pos),
    notes: { isVolatile: true, ...(!areAllKnown && { msg: UNANSWERED }) },
  }
}

const UNANSWERED = 'The node did not answer in time: transactions of its pool may be missing.'
