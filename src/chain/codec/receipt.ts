// Receipts in their consensus form, which the receipts root commits to.

import { EMPTY_BYTES, type Hex, hexToBytes } from '../bytes/hex.ts'
import { decodeRlpList, encodeRlp, encodeTyped, RlpError, type RlpInput } from '../bytes/rlp.ts'
import {
  booleanField,
  bytesField,
  expectFields,
  fixedBytesField,
  hashField,
  listField,
  uint64Field,
} from '../bytes/rlp-fields.ts'
import { orderedRoot } from '../trie/ordered-root.ts'
import { bloomOfLogs } from './bloom.ts'
import { type Log, logField, logToRlp } from './log.ts'
import { DEPOSIT, isTransactionType, LEGACY } from './transaction.ts'

export type Receipt = {
  /** The EIP-2718 type of the transaction, also one that this program does not know. */
  readonly type: number
  /** Null before Byzantium, when a receipt had the state root after the transaction instead. */
  readonly status: 0 | 1 | null
  readonly root?: Hex
  readonly cumulativeGasUsed: bigint
  readonly logs: readonly Log[]
  readonly logsBloom: Uint8Array
  /** Deposits from Regolith on: the sender's nonce before the deposit. */
  readonly depositNonce?: bigint
  /** Deposits from Canyon on. Only with it is the nonce part of the root. */
  readonly depositReceiptVersion?: bigint
}

/** Adds the bloom, which follows from the logs. */
export function createReceipt(receipt: Omit<Receipt, 'logsBloom'>): Receipt {
  return {
    ...receipt,
    logsBloom: bloomOfLogs(receipt.logs),
  }
}

export function encodeReceipt(receipt: Receipt): Uint8Array {
  const fields: RlpInput[] = [
    statusField(receipt),
    receipt.cumulativeGasUsed,
    receipt.logsBloom,
    receipt.logs.map(logToRlp),
  ]
  if (receipt.depositReceiptVersion !== undefined) {
    fields.push(receipt.depositNonce ?? 0n, receipt.depositReceiptVersion)
  }
  return receipt.type === LEGACY ? encodeRlp(fields) : encodeTyped(receipt.type, fields)
}

export function decodeReceipt(bytes: Uint8Array): Receipt {
  const first = bytes[0] ?? 0
  const type = first >= 0xc0 ? LEGACY : first
  if (!isTransactionType(type)) throw new RlpError(`receipt type 0x${type.toString(16)} is unknown`)
  const fields = decodeRlpList(type === LEGACY ? bytes : bytes.subarray(1))
  const isVersioned = type === DEPOSIT && fields.length > 4
  expectFields(fields, isVersioned ? 6 : 4, 'receipt')
  const statusOrRoot = bytesField(fields[0], 'status')
  return {
    type,
    ...(statusOrRoot.length === 32
      ? { status: null, root: hashField(fields[0], 'root') }
      : { status: booleanField(fields[0], 'status') ? 1 : 0 }),
    cumulativeGasUsed: uint64Field(fields[1], 'cumulativeGasUsed'),
    logsBloom: fixedBytesField(fields[2], 'logsBloom', 256),
    logs: listField(fields[3], 'logs').map(logField),
    ...(isVersioned && {
      depositNonce: uint64Field(fields[4], 'depositNonce'),
      depositReceiptVersion: uint64Field(fields[5], 'depositReceiptVersion'),
    }),
  }
}

export function receiptsRoot(receipts: readonly Receipt[]): Hex {
  return orderedRoot(receipts.map(encodeReceipt))
}

function statusField({ status, root }: Receipt): RlpInput {
  return root !== undefined ? hexToBytes(root) : status === 1 ? 1 : EMPTY_BYTES
}
