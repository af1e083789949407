// Receipts against the block they belong to: root, blooms, gas, order, price. Throws `BadAnswer`, or `RpcFieldError` for what cannot be read.

import { equalBytes, type Hex } from '../../chain/bytes/hex.ts'
import { bloomOfLogs } from '../../chain/codec/bloom.ts'
import { type BlockTransaction, FOREIGN, isForeign } from '../../chain/codec/foreign-transaction.ts'
import type { Header } from '../../chain/codec/header.ts'
import { type Receipt, receiptsRoot } from '../../chain/codec/receipt.ts'
import { BLOB, DEPOSIT } from '../../chain/codec/transaction.ts'
import { receiptFromRpc } from '../../chain/rpc/block-from-rpc.ts'
import { asObject, hashOf, isPresent, quantityOf, type RpcObject, recipientOf } from '../../chain/rpc/fields.ts'
import { unknownFields } from '../../chain/rpc/unknown-fields.ts'
import { createAddress } from '../../chain/rules/create-address.ts'
import { effectiveGasPrice } from '../../chain/rules/transaction-fees.ts'
import { BadAnswer } from './failures.ts'
import type { NodeReceipt } from './node-block.ts'

type ReceiptsBlock = {
  readonly hash: Hex
  readonly header: Header
  readonly transactions: readonly BlockTransaction[]
  /** Of a chain whose header we do not know, and whose fees may have their own rules too. */
  readonly isStrange: boolean
}

export function checkedReceipts(value: unknown, block: ReceiptsBlock): NodeReceipt[] {
  const { header, transactions } = block
  if (!Array.isArray(value)) throw new BadAnswer('there are no receipts')
  if (value.length !== transactions.length) {
    throw new BadAnswer(`${value.length} receipts for ${transactions.length} transactions`)
  }
  let gasBefore = 0n
  const checked = value.map((item, index) => {
    const raw = asObject(item, 'receipt')
    const receipt = receiptFromRpc(raw)
    const nodeReceipt = {
      receipt,
      ...reportedFields(raw, receipt.cumulativeGasUsed - gasBefore, transactions[index]!, block),
    }
    gasBefore = receipt.cumulativeGasUsed
    return nodeReceipt
  })
  const receipts = checked.map(({ receipt }) => receipt)
  // A transaction of an unknown type may have a receipt of its own form, and its gas may be counted in its own way.
  if (transactions.some(isForeign)) return checked
  checkBlooms(receipts, header)
  if (gasBefore !== header.gasUsed)
    throw new BadAnswer(`the receipts sum up to ${gasBefore} gas, not ${header.gasUsed}`)
  if (receiptsRoot(receipts) !== header.receiptsRoot) throw new BadAnswer('the receipts do not give the receipts root')
  return checked
}

function checkBlooms(receipts: readonly Receipt[], header: Header): void {
  for (const { logs, logsBloom } of receipts) {
    if (!equalBytes(bloomOfLogs(logs), logsBloom))
      throw new BadAnswer('the logs do not give the bloom of their receipt')
  }
  // The filter over all logs is the union of those over each receipt's, at a fraction of its cost.
  if (!equalBytes(bloomOfLogs(receipts.flatMap(({ logs }) => logs)), header.logsBloom))
    throw new BadAnswer('the receipts do not give the bloom of the block')
}

/** What the node reports beyond what the receipts root commits to. */
function reportedFields(
  raw: RpcObject,
  gasUsed: bigint,
  { transaction, hash, from }: BlockTransaction,
  block: ReceiptsBlock,
): Omit<NodeReceipt, 'receipt'> {
  if (hashOf(raw, 'transactionHash') !== hash) throw new BadAnswer(`a receipt is not of ${hash}`)
  if (hashOf(raw, 'blockHash') !== block.hash) throw new BadAnswer('a receipt is of another block')
  if (transaction.type !== FOREIGN && quantityOf(raw, 'gasUsed') !== gasUsed)
    throw new BadAnswer(`the receipt of ${hash} reports the wrong gas`)
  const isDeposit = transaction.type === DEPOSIT
  const isUnknown = transaction.type === FOREIGN
  const price = isUnknown ? 0n : effectiveGasPrice(transaction, block.header.baseFeePerGas ?? 0n)
  const reportedPrice = isDeposit || !isPresent(raw, 'effectiveGasPrice') ? price : quantityOf(raw, 'effectiveGasPrice')
  if (reportedPrice !== price && !block.isStrange && !isUnknown)
    throw new BadAnswer(`the receipt of ${hash} reports the wrong gas price`)
  return {
    // A deposit carries no nonce to compute the address from, and an unknown type may use its nonce in another way.
    contractAddress:
      transaction.to !== null
        ? null
        : isDeposit || isUnknown
          ? recipientOf(raw, 'contractAddress')
          : createAddress(from, transaction.nonce),
    gasUsed: isUnknown ? quantityOf(raw, 'gasUsed') : gasUsed,
    effectiveGasPrice: reportedPrice,
    l1Fee: isDeposit ? 0n : optionalQuantity(raw, 'l1Fee'),
    operatorFee: isDeposit ? 0n : operatorFee(raw, gasUsed),
    blobFee: transaction.type === BLOB ? quantityOf(raw, 'blobGasPrice') * quantityOf(raw, 'blobGasUsed') : 0n,
    unknownFields: unknownFields(raw, 'receipt'),
  }
}

/** Isthmus counts in millionths; Jovian, which also has the scalar of the data footprint, in hundreds. */
function operatorFee(raw: RpcObject, gasUsed: bigint): bigint {
  const byGas = gasUsed * optionalQuantity(raw, 'operatorFeeScalar')
  const scaled = isPresent(raw, 'daFootprintGasScalar') ? byGas * 100n : byGas / 1_000_000n
  return scaled + optionalQuantity(raw, 'operatorFeeConstant')
}

function optionalQuantity(raw: RpcObject, name: string) {
  return isPresent(raw, name) ? quantityOf(raw, name) : 0n
}
