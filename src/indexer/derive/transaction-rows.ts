// The transactions of a block as rows.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { type BlockTransaction, FOREIGN } from '../../chain/codec/foreign-transaction.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { type UnknownFields, unknownFieldsText } from '../../chain/rpc/unknown-fields.ts'
import { createAddress } from '../../chain/rules/create-address.ts'
import { feeOf } from '../../chain/rules/fee-split.ts'
import { asNumber, failureText } from '../../store/schema/internal-rows.ts'
import { positionOf } from '../../store/schema/position.ts'
import type { TransactionRow } from '../../store/schema/rows.ts'
import type { NodeBlock, NodeReceipt } from '../../upstream/node/node-block.ts'
import { addressText } from './address-text.ts'

export function transactionRows(block: NodeBlock): TransactionRow[] {
  return block.transactions.map((recovered, index) => {
    const { transaction, hash, from } = recovered
    const receipt = block.receipts[index]!
    const isDeposit = transaction.type === DEPOSIT
    const nonce = isDeposit ? (receipt.receipt.depositNonce ?? 0n) : transaction.nonce
    const frame = block.traces?.[index] ?? null
    const { status } = receipt.receipt
    const hasFailed = status === 0 || (status === null && frame !== null && frame.error !== null)
    return {
      pos: positionOf(block.header.number, index),
      hash,
      sender: addressText(from),
      recipient: transaction.to === null ? null : addressText(transaction.to),
      contractAddress: transaction.to === null && !hasFailed ? createdBy(recovered, nonce, receipt) : null,
      value: transaction.value,
      fee: isDeposit ? 0n : feeOf(receipt),
      l1Fee: isDeposit || receipt.l1Fee === 0n ? null : receipt.l1Fee,
      nonce: asNumber(nonce),
      type: transaction.type === FOREIGN ? transaction.typeNumber : transaction.type,
      status,
      gasLimit: asNumber(transaction.gasLimit),
      gasUsed: asNumber(receipt.gasUsed),
      gasPrice: isDeposit ? 0n : receipt.effectiveGasPrice,
      maxFeePerGas: 'maxFeePerGas' in transaction ? transaction.maxFeePerGas : null,
      maxPriorityFeePerGas: 'maxPriorityFeePerGas' in transaction ? transaction.maxPriorityFeePerGas : null,
      method: bytesToHex(transaction.data.subarray(0, SELECTOR_BYTES)),
      error: hasFailed && frame !== null ? failureText(frame) : null,
      sourceHash: isDeposit ? transaction.sourceHash : null,
      mint: isDeposit ? transaction.mint : null,
      input: bytesToHex(transaction.data),
      unknownFields: unknownFieldsText(unknownFieldsOf(block, index)),
    }
  })
}

const SELECTOR_BYTES = 4

/** A transaction of an unknown type may create nothing at all: what its receipt says counts. */
function createdBy(
  { transaction, from }: BlockTransaction,
  nonce: bigint,
  { contractAddress }: NodeReceipt,
): Hex | null {
  if (transaction.type !== FOREIGN) return addressText(createAddress(from, nonce))
  return contractAddress === null ? null : addressText(contractAddress)
}

/** Of the transaction, and of its receipt under `receipt`. */
function unknownFieldsOf(block: NodeBlock, index: number): UnknownFields | undefined {
  const own = block.unknownTransactionFields[index]
  const receipt = block.receipts[index]!.unknownFields
  return receipt === undefined ? own : { ...own, receipt }
}
