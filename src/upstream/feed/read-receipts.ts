// Receipts as feeds spell them: `{"Eip1559": {...}}`, `{"type": "0x2", ...}`, or not at all. The type follows from the transaction.

import { createReceipt, type Receipt } from '../../chain/codec/receipt.ts'
import type { TransactionType } from '../../chain/codec/transaction.ts'
import { logFromRpc } from '../../chain/rpc/block-from-rpc.ts'
import { asObject, isPresent, listOf, quantityOf, RpcFieldError, type RpcObject } from '../../chain/rpc/fields.ts'

/** All of them or null: a feed that tells half a story tells none. */
export function receiptsFromFeed(told: readonly (readonly [TransactionType, unknown])[]): readonly Receipt[] | null {
  try {
    return told.map(([type, receipt]) => receiptOf(type, untagged(asObject(receipt, 'receipt'))))
  } catch (error) {
    if (error instanceof RpcFieldError) return null
    throw error
  }
}

function untagged(receipt: RpcObject): RpcObject {
  const [[, inner] = [], ...others] = Object.entries(receipt)
  return others.length === 0 ? asObject(inner, 'receipt') : receipt
}

function receiptOf(type: TransactionType, receipt: RpcObject): Receipt {
  return createReceipt({
    type,
    status: statusOf(receipt),
    cumulativeGasUsed: quantityOf(receipt, 'cumulativeGasUsed'),
    logs: listOf(receipt, 'logs', logFromRpc),
    ...(isPresent(receipt, 'depositNonce') && { depositNonce: quantityOf(receipt, 'depositNonce') }),
    ...(isPresent(receipt, 'depositReceiptVersion') && {
      depositReceiptVersion: quantityOf(receipt, 'depositReceiptVersion'),
    }),
  })
}

/** Some feeds tell it as a boolean. */
function statusOf(receipt: RpcObject): 0 | 1 {
  if (typeof receipt.status === 'boolean') return receipt.status ? 1 : 0
  return quantityOf(receipt, 'status') === 1n ? 1 : 0
}
