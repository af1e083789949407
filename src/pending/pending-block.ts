// A block as far as its flashblocks have told it. Immutable: each flashblock makes a new one out of the one before.

import type { Hex } from '../chain/bytes/hex.ts'
import { encodeBlock, transactionsRoot } from '../chain/codec/block.ts'
import { type Flashblock, type FlashblockBase, flashblockHeader, type TouchedState } from '../chain/codec/flashblock.ts'
import type { Header } from '../chain/codec/header.ts'
import type { Receipt } from '../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import type { Rules } from '../chain/rules/forks.ts'
import { l1ParametersFrom } from './l1-attributes.ts'
import { outcomeOf, type RollupPrices, rootOfReceipts, type TransactionOutcome } from './receipt-fields.ts'

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
  /** Wei by address, as the feed tells them of what the block changed so far. */
  readonly balances: ReadonlyMap<bigint, bigint>
  /** What the transactions of the last flashblock look at, where the feed tells. */
  readonly touched?: TouchedState | null
}

export type PendingTransaction = {
  readonly recovered: RecoveredTransaction
  /** Which flashblock brought it. */
  readonly flashblockIndex: number
  /** Null where the feed leaves receipts out and nobody has executed it yet. */
  readonly outcome: TransactionOutcome | null
}

export type RulesOf = (header: Pick<Header, 'number' | 'timestamp'>) => Rules

/** The block that index 0 begins. */
export function beginningOf(rulesOf: RulesOf, flashblock: Flashblock, base: FlashblockBase): PendingBlock {
  return grown(rulesOf, { base, before: [], flashblock })
}

/** The block with the flashblock that follows on its last. */
export function extended(rulesOf: RulesOf, block: PendingBlock, flashblock: Flashblock): PendingBlock {
  return grown(rulesOf, { base: baseOf(block.header), before: block.transactions, flashblock })
}

/** The block with the receipts of its first transactions; itself where they are all there. */
export function withReceipts(rulesOf: RulesOf, block: PendingBlock, receipts: readonly Receipt[]): PendingBlock {
  const { header, transactions } = block
  if (transactions.slice(0, receipts.length).every(({ outcome }) => outcome !== null)) return block
  const prices = pricesOf(rulesOf(header), transactions)
  return Object.freeze({ ...block, transactions: withOutcomes(prices, transactions, receipts) })
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

type Growth = {
  readonly base: FlashblockBase
  readonly before: readonly PendingTransaction[]
  readonly flashblock: Flashblock
}

function grown(rulesOf: RulesOf, { base, before, flashblock }: Growth): PendingBlock {
  const { payloadId, index, totals, balances, touched = null } = flashblock
  const added = flashblock.transactions.map((recovered) => ({ recovered, flashblockIndex: index, outcome: null }))
  const transactions = [...before, ...added]
  const root = transactionsRoot(transactions.map(({ recovered }) => recovered.raw))
  const { header, isProven } = flashblockHeader(base, totals, root)
  const receipts = provenReceipts(header, before, flashblock)
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

/** Receipts that do not give the root are as good as none. */
function provenReceipts(
  header: Header,
  before: readonly PendingTransaction[],
  { receipts }: Flashblock,
): readonly Receipt[] | null {
  const earlier = before.flatMap(({ outcome }) => outcome?.receipt ?? [])
  if (receipts === null || earlier.length < before.length) return null
  const all = [...earlier, ...receipts]
  return rootOfReceipts(all) === header.receiptsRoot ? all : null
}

function withOutcomes(
  prices: RollupPrices,
  transactions: readonly PendingTransaction[],
  receipts: readonly Receipt[],
): readonly PendingTransaction[] {
  let previous: TransactionOutcome | null = null
  return transactions.map((transaction, i) => {
    const receipt = receipts[i]
    if (receipt === undefined) return transaction
    previous = transaction.outcome ?? outcomeOf(prices, { recovered: transaction.recovered, receipt }, previous)
    return { ...transaction, outcome: previous }
  })
}

function pricesOf(rules: Rules, [first]: readonly PendingTransaction[]): RollupPrices {
  const parameters = first === undefined || !rules.op ? null : l1ParametersFrom(first.recovered)
  return parameters && { rules, parameters }
}

function baseOf(header: Header): FlashblockBase {
  return {
    parentHash: header.parentHash,
    miner: header.miner,
    number: header.number,
    gasLimit: header.gasLimit,
    timestamp: header.timestamp,
    extraData: header.extraData,
    mixHash: header.mixHash,
    baseFeePerGas: header.baseFeePerGas!,
    parentBeaconBlockRoot: header.parentBeaconBlockRoot!,
  }
}
