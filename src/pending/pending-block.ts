// A block as far as its flashblocks have announced it. It is immutable: each flashblock gives a new one, derived from the one before. What a
// receipt leaves unsaid about its transaction is derived from the block around it, so that it can be shown as a full node shows it.

import { bytesToBigint, bytesToHex, type Hex } from '../chain/bytes/hex.ts'
import { encodeBlock } from '../chain/codec/block.ts'
import type { Flashblock, TouchedState, VerifiedFlashblock } from '../chain/codec/flashblock.ts'
import type { Header } from '../chain/codec/header.ts'
import { encodeReceipt, type Receipt } from '../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../chain/codec/transaction.ts'
import type { OpFeeName } from '../chain/rpc/types.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from '../chain/rules/addresses.ts'
import { createAddress } from '../chain/rules/create-address.ts'
import type { Rules } from '../chain/rules/forks.ts'
import { orderedRoot } from '../chain/trie/ordered-root.ts'

import { daFootprint, type L1Parameters, l1Fee, l1GasUsed } from '../evm/transaction/op-fees.ts'

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

/** A receipt with the bytes that the receipts root is over. Every flashblock has another root, over all receipts so far. */
export type EncodedReceipt = { readonly receipt: Receipt; readonly encoded: Uint8Array }

/** Fits `receiptToRpc`. */
export type TransactionOutcome = EncodedReceipt & {
  readonly gasUsed: bigint
  readonly contractAddress: bigint | null
  /** Index in the block of the receipt's first log. */
  readonly firstLogIndex: number
  /** OP chains, all but deposits. */
  readonly opFees?: Readonly<Partial<Record<OpFeeName, bigint>>>
}

/** Null off the OP Stack. */
export type RollupPrices = { readonly rules: Rules; readonly parameters: L1Parameters } | null

export type Executed = EncodedReceipt & { readonly recovered: RecoveredTransaction }

/** `previous` is that of the transaction before it, null for the first of a block. */
export function outcomeOf(
  prices: RollupPrices,
  { recovered, receipt, encoded }: Executed,
  previous: TransactionOutcome | null,
): TransactionOutcome {
  const known = {
    receipt,
    encoded,
    gasUsed: receipt.cumulativeGasUsed - (previous?.receipt.cumulativeGasUsed ?? 0n),
    contractAddress: contractAddressOf(recovered, receipt),
    firstLogIndex: previous === null ? 0 : previous.firstLogIndex + previous.receipt.logs.length,
  }
  if (prices === null || recovered.transaction.type === DEPOSIT) return known
  return {
    ...known,
    // Only when somebody asks: it compresses the transaction, which takes longer than everything else about it.
    get opFees() {
      return opFeesOf(prices, recovered.raw)
    },
  }
}

export function withEncoding(receipt: Receipt): EncodedReceipt {
  return { receipt, encoded: encodeReceipt(receipt) }
}

function contractAddressOf({ transaction, from }: RecoveredTransaction, { depositNonce }: Receipt): bigint | null {
  if (transaction.to !== null) return null
  return createAddress(from, transaction.type === DEPOSIT ? (depositNonce ?? 0n) : transaction.nonce)
}

function opFeesOf(
  { rules, parameters }: NonNullable<RollupPrices>,
  raw: Uint8Array,
): NonNullable<TransactionOutcome['opFees']> {
  return {
    l1Fee: l1Fee(rules, parameters, raw),
    l1GasUsed: l1GasUsed(rules, raw),
    l1GasPrice: parameters.baseFee,
    l1BaseFeeScalar: parameters.baseFeeScalar,
    l1BlobBaseFee: parameters.blobBaseFee,
    l1BlobBaseFeeScalar: parameters.blobBaseFeeScalar,
    ...(rules.isthmus && {
      operatorFeeScalar: parameters.operatorFeeScalar,
      operatorFeeConstant: parameters.operatorFeeConstant,
    }),
    ...(rules.jovian && {
      daFootprintGasScalar: parameters.daFootprintGasScalar,
      blobGasUsed: daFootprint(parameters, raw),
    }),
  }
}

/** The prices of the block's rollup fees, from its first deposit. Null where it is no such deposit, or one from before Ecotone. */
export function l1ParametersFrom({ transaction, from }: RecoveredTransaction): L1Parameters | null {
  const { data } = transaction
  if (transaction.type !== DEPOSIT || from !== L1_ATTRIBUTES_DEPOSITOR || data.length < SHORTEST) return null
  if (!SELECTORS.has(bytesToHex(data.subarray(0, 4)))) return null
  // Packed, not ABI-encoded. Each fork appended fields; a missing field is zero.
  const read = (start: number, end: number) => bytesToBigint(data.subarray(start, end))
  return {
    baseFeeScalar: read(4, 8),
    blobBaseFeeScalar: read(8, 12),
    baseFee: read(36, 68),
    blobBaseFee: read(68, 100),
    operatorFeeScalar: read(164, 168),
    operatorFeeConstant: read(168, 176),
    daFootprintGasScalar: read(176, 178) || DEFAULT_DA_FOOTPRINT_SCALAR,
  }
}

/** Ecotone, Isthmus, Jovian. */
const SELECTORS: ReadonlySet<string> = new Set(['0x440a5e20', '0x098999be', '0x3db6be2b'])
const SHORTEST = 164
const DEFAULT_DA_FOOTPRINT_SCALAR = 400n
