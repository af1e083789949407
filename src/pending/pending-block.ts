// A block as far as its flashblocks have announced it. It is immutable: each flashblock gives a new one, derived from the one before.

import type { Hex } from '../chain/bytes/hex.ts'
import { encodeBlock } from '../chain/codec/block.ts'
import type { Flashblock, TouchedState, VerifiedFlashblock } from '../chain/codec/flashblock.ts'
import type { Header } from '../chain/codec/header.ts'
import type { Receipt } from '../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import type { Rules } from '../chain/rules/forks.ts'
import { orderedRoot } from '../chain/trie/ordered-root.ts'
import {
  type EncodedReceipt,
  l1ParametersFrom,
  outcomeOf,
  type RollupPrices,
  type TransactionOutcome,
  withEncoding,
} from './receipt-fields.ts'

export type PendingBlock = {
  readonly payloadId: Hex
  /** Of the last flashblock in it. */
  readonly index: number
  /** What the feed says it is. */
  readonly hash: Hex
  readonly header: Header
  /** Whether the header gives the hash. */
  readonly isProven: boolean
  readonly transactions: readonly PendingTransaction[]
  /** Wei by address: the balances that the block changed so far, as the feed announces them. */
  readonly balances: ReadonlyMap<bigint, bigint>
  /** What the transactions of the last flashblock read, where the feed announces it. */
  readonly touched?: TouchedState | null
}

export type PendingTransaction = {
  readonly recovered: RecoveredTransaction
  /** Which flashblock brought it. */
  readonly flashblockIndex: number
  /** Null where the feed leaves receipts out and the executor has not run it yet. */
  readonly outcome: TransactionOutcome | null
}

export type RulesOf = (header: Pick<Header, 'number' | 'timestamp'>) => Rules

/**
 * The block with the flashblock that follows on its last one; `before` is undefined for index 0. The header was verified by the
 * resequencer, this function checks the receipts.
 */
export function blockWith(
  rulesOf: RulesOf,
  before: PendingBlock | undefined,
  { flashblock, header, isProven }: VerifiedFlashblock,
): PendingBlock {
  const { payloadId, index, totals, balances, touched = null } = flashblock
  const earlier = before?.transactions ?? []
  const added = flashblock.transactions.map((recovered) => ({ recovered, flashblockIndex: index, outcome: null }))
  const transactions = [...earlier, ...added]
  const receipts = provenReceipts(header, earlier, flashblock)
  return Object.freeze({
    payloadId,
    index,
    hash: totals.blockHash,
    header,
    isProven,
    transactions:
      receipts === null ? transactions : withOutcomes(pricesOf(rulesOf(header), transactions), transactions, receipts),
    balances,
    touched,
  })
}

/** The block with the receipts of its first transactions; itself where they are all there. */
export function withReceipts(rulesOf: RulesOf, block: PendingBlock, receipts: readonly Receipt[]): PendingBlock {
  const { header, transactions } = block
  if (transactions.slice(0, receipts.length).every(({ outcome }) => outcome !== null)) return block
  const prices = pricesOf(rulesOf(header), transactions)
  const encoded = receipts.map((receipt, i) => transactions[i]?.outcome ?? withEncoding(receipt))
  return Object.freeze({ ...block, transactions: withOutcomes(prices, transactions, encoded) })
}

/** Null unless every transaction has one. */
export function receiptsOf({ transactions }: PendingBlock): readonly Receipt[] | null {
  const receipts = transactions.flatMap(({ outcome }) => outcome?.receipt ?? [])
  return receipts.length === transactions.length ? receipts : null
}

/** Bytes of the encoded block. */
export function sizeOf({ header, transactions }: PendingBlock): number {
  const raws = transactions.map(({ recovered }) => recovered.raw)
  return encodeBlock({ header, transactions: raws, uncles: [], withdrawals: [] }).length
}

/** Receipts that do not give the root are as good as none. */
function provenReceipts(
  header: Header,
  before: readonly PendingTransaction[],
  { receipts }: Flashblock,
): readonly EncodedReceipt[] | null {
  const earlier = before.flatMap(({ outcome }) => outcome ?? [])
  if (receipts === null || earlier.length < before.length) return null
  const all = [...earlier, ...receipts.map(withEncoding)]
  return orderedRoot(all.map(({ encoded }) => encoded)) === header.receiptsRoot ? all : null
}

function withOutcomes(
  prices: RollupPrices,
  transactions: readonly PendingTransaction[],
  receipts: readonly EncodedReceipt[],
): readonly PendingTransaction[] {
  let previous: TransactionOutcome | null = null
  return transactions.map((transaction, i) => {
    if (receipts[i] === undefined) return transaction
    const { receipt, encoded } = receipts[i]
    previous =
      transaction.outcome ?? outcomeOf(prices, { recovered: transaction.recovered, receipt, encoded }, previous)
    return { ...transaction, outcome: previous }
  })
}

function pricesOf(rules: Rules, [first]: readonly PendingTransaction[]): RollupPrices {
  const parameters = first === undefined || !rules.op ? null : l1ParametersFrom(first.recovered)
  return parameters && { rules, parameters }
}
