// What a receipt leaves unsaid about its transaction, derived from the block around it, so that a receipt can be shown as a full node
// shows it.

import { bytesToBigint, bytesToHex } from '../chain/bytes/hex.ts'
import { encodeReceipt, type Receipt } from '../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../chain/codec/transaction.ts'
import type { OpFeeName } from '../chain/rpc/types.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from '../chain/rules/addresses.ts'
import { createAddress } from '../chain/rules/create-address.ts'
import type { Rules } from '../chain/rules/forks.ts'
import { daFootprint, type L1Parameters, l1Fee, l1GasUsed } from '../evm/transaction/op-fees.ts'

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
