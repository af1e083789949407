// A preconfirmed transaction as lists show transactions, before any canonical block has it.

import { addressToHex, bytesToHex, type Hex } from '../chain/bytes/hex.ts'
import { DEPOSIT } from '../chain/codec/transaction.ts'
import { feeOf } from '../chain/rules/fee-split.ts'
import { effectiveGasPrice } from '../chain/rules/transaction-fees.ts'
import { type TokenStandard, transfersFromLog } from '../chain/tokens/transfers-from-logs.ts'
import type { PendingBlock, TransactionOutcome } from '../pending/pending-block.ts'
import type { TokenKind, TransferRow } from '../store/schema/rows.ts'

export type PendingTransactionRow = {
  readonly hash: Hex
  readonly sender: Hex
  readonly recipient: Hex | null
  readonly contractAddress: Hex | null
  readonly value: bigint
  /** Null where the receipt is not known yet, as are status and gas used. */
  readonly fee: bigint | null
  readonly l1Fee: bigint | null
  readonly nonce: number
  readonly type: number
  readonly status: 0 | 1 | null
  readonly gasLimit: number
  readonly gasUsed: number | null
  readonly gasPrice: bigint
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  /** Up to four bytes. */
  readonly method: Hex
  readonly input: Hex
  readonly sourceHash: Hex | null
  readonly mint: bigint | null
  /** In the block, from 0. */
  readonly position: number
  readonly flashblockIndex: number
  readonly transfers: readonly PendingTransfer[]
  /** The block as far as it was announced when this flashblock came. */
  readonly block: { readonly height: number; readonly hash: Hex; readonly timestampMs: number }
}

/** `index` is that among all transfers of the block. */
export type PendingTransfer = Omit<TransferRow, 'pos' | 'txPos'> & { readonly index: number }

/** `firstTransfer` is how many transfers the transactions before it made. */
export function pendingRowOf(
  { header, hash, transactions }: PendingBlock,
  position: number,
  firstTransfer: number,
): PendingTransactionRow {
  const { recovered, flashblockIndex, outcome } = transactions[position]!
  const { transaction, from } = recovered
  const isDeposit = transaction.type === DEPOSIT
  const gasPrice = isDeposit ? 0n : effectiveGasPrice(transaction, header.baseFeePerGas ?? 0n)
  const gasUsed = outcome?.gasUsed ?? 0n
  // Asked for once: it compresses the transaction.
  const opFees = outcome?.opFees
  const l1Fee = opFees?.l1Fee ?? 0n
  const operatorFee = operatorFeeOf(gasUsed, opFees)
  const nonce = isDeposit ? (outcome?.receipt.depositNonce ?? 0n) : transaction.nonce
  const status = outcome?.receipt.status ?? null
  return {
    hash: recovered.hash,
    sender: addressToHex(from),
    recipient: transaction.to === null ? null : addressToHex(transaction.to),
    contractAddress:
      status === 0 || outcome === null || outcome.contractAddress === null
        ? null
        : addressToHex(outcome.contractAddress),
    value: transaction.value,
    fee: outcome === null ? null : feeOf({ gasUsed, effectiveGasPrice: gasPrice, l1Fee, operatorFee, blobFee: 0n }),
    l1Fee: l1Fee === 0n ? null : l1Fee,
    nonce: asNumber(nonce),
    type: transaction.type,
    status,
    gasLimit: asNumber(transaction.gasLimit),
    gasUsed: outcome === null ? null : asNumber(gasUsed),
    gasPrice,
    maxFeePerGas: 'maxFeePerGas' in transaction ? transaction.maxFeePerGas : null,
    maxPriorityFeePerGas: 'maxPriorityFeePerGas' in transaction ? transaction.maxPriorityFeePerGas : null,
    method: bytesToHex(transaction.data.subarray(0, SELECTOR_BYTES)),
    input: bytesToHex(transaction.data),
    sourceHash: transaction.type === DEPOSIT ? transaction.sourceHash : null,
    mint: transaction.type === DEPOSIT ? transaction.mint : null,
    position,
    flashblockIndex,
    transfers: transfersIn(outcome, firstTransfer),
    block: { height: header.number, hash, timestampMs: header.timestamp * 1000 },
  }
}

const KINDS: { readonly [standard in TokenStandard]: TokenKind } = { erc20: 20, erc721: 721, erc1155: 1155 }

function transfersIn(outcome: TransactionOutcome | null, first: number): PendingTransfer[] {
  if (outcome === null) return []
  const { receipt, firstLogIndex } = outcome
  return receipt.logs
    .flatMap((log, i) => {
      const found = transfersFromLog(log)
      return found === 'malformed' ? [] : found.map((transfer) => ({ transfer, logIndex: firstLogIndex + i }))
    })
    .map(({ transfer: { standard, token, from, to, amount, tokenId }, logIndex }, i) => ({
      index: first + i,
      logIndex,
      kind: KINDS[standard],
      token: addressToHex(token),
      sender: addressToHex(from),
      recipient: addressToHex(to),
      amount,
      tokenId: standard === 'erc20' ? null : tokenId,
    }))
}

/** Isthmus counts in millionths; Jovian, which also has the scalar of the data footprint, in hundreds. */
function operatorFeeOf(gasUsed: bigint, fees: TransactionOutcome['opFees']): bigint {
  const byGas = gasUsed * (fees?.operatorFeeScalar ?? 0n)
  const scaled = fees?.daFootprintGasScalar === undefined ? byGas / 1_000_000n : byGas * 100n
  return scaled + (fees?.operatorFeeConstant ?? 0n)
}

const SELECTOR_BYTES = 4

function asNumber(value: bigint): number {
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
}
