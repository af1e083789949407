// Blocks of the chain with their transactions, and the receipt fields that follow from the block around a transaction.

import { bytesToBigint, type Hex } from '../../src/chain/bytes/hex.ts'
import type { Header } from '../../src/chain/codec/header.ts'
import type { Receipt } from '../../src/chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../../src/chain/codec/transaction.ts'
import { BASE_TIME } from '../../src/chain/rpc/block-time.ts'
import type { OpFeeName } from '../../src/chain/rpc/types.ts'
import { createAddress } from '../../src/chain/rules/create-address.ts'
import type { Rules } from '../../src/chain/rules/forks.ts'
import { daFootprint, type L1Parameters, l1Fee, l1GasUsed } from '../../src/evm/transaction/op-fees.ts'

export type ChainBlock = {
  readonly header: Header
  readonly hash: Hex
  /** Bytes of the encoded block. */
  readonly size: number
  readonly transactions: readonly IncludedTransaction[]
}

/** Fits `receiptToRpc`. */
export type IncludedTransaction = {
  readonly recovered: RecoveredTransaction
  readonly receipt: Receipt
  readonly gasUsed: bigint
  readonly contractAddress: bigint | null
  /** Index in the block of the receipt's first log. */
  readonly firstLogIndex: number
  /** Deposits have none. */
  readonly opFees?: Readonly<Partial<Record<OpFeeName, bigint>>>
}

/** The milliseconds after the second of the header, where the second transaction of the block brings them. */
export function millisecondsOf({ transactions: [, time] }: Pick<ChainBlock, 'transactions'>): number | undefined {
  if (time?.recovered.transaction.to !== BASE_TIME) return undefined
  return Number(bytesToBigint(time.recovered.transaction.data, SELECTOR_BYTES))
}

export function blockTimeOf(block: Pick<ChainBlock, 'header' | 'transactions'>): number {
  return block.header.timestamp * 1_000 + (millisecondsOf(block) ?? 0)
}

const SELECTOR_BYTES = 4

export type BlockFees = { readonly rules: Rules; readonly parameters: L1Parameters }

/** `previous` is the transaction before it in the block. */
export function includedTransaction(
  fees: BlockFees,
  included: { recovered: RecoveredTransaction; receipt: Receipt; previous: IncludedTransaction | undefined },
): IncludedTransaction {
  const { recovered, receipt, previous } = included
  const known = {
    recovered,
    receipt,
    gasUsed: receipt.cumulativeGasUsed - (previous?.receipt.cumulativeGasUsed ?? 0n),
    contractAddress: contractAddressOf(recovered, receipt),
    firstLogIndex: previous === undefined ? 0 : previous.firstLogIndex + previous.receipt.logs.length,
  }
  if (recovered.transaction.type === DEPOSIT) return known
  return {
    ...known,
    // Computed on demand, because compressing the transaction takes longer than everything else here.
    get opFees() {
      return opFeesOf(fees, recovered.raw)
    },
  }
}

function contractAddressOf({ transaction, from }: RecoveredTransaction, { depositNonce }: Receipt): bigint | null {
  if (transaction.to !== null) return null
  return createAddress(from, transaction.type === DEPOSIT ? (depositNonce ?? 0n) : transaction.nonce)
}

function opFeesOf({ rules, parameters }: BlockFees, raw: Uint8Array): { [name in OpFeeName]?: bigint } {
  return {
    l1Fee: l1Fee(rules, parameters, raw),
    l1GasUsed: l1GasUsed(rules, raw),
    l1GasPrice: parameters.baseFee,
    l1BaseFeeScalar: parameters.baseFeeScalar,
    l1BlobBaseFee: parameters.blobBaseFee,
    l1BlobBaseFeeScalar: parameters.blobBaseFeeScalar,
    operatorFeeScalar: parameters.operatorFeeScalar,
    operatorFeeConstant: parameters.operatorFeeConstant,
    ...(rules.jovian && {
      daFootprintGasScalar: parameters.daFootprintGasScalar,
      blobGasUsed: daFootprint(parameters, raw),
    }),
  }
}
