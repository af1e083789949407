// Whole blocks, as `debug_getRawBlock` and chain files contain them.

import { bytesToHex, type Hex } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { decodeRlp, decodeRlpList, encodeRlp, RlpError, splitRlpList } from '../bytes/rlp.ts'
import { bytesField, listField } from '../bytes/rlp-fields.ts'
import { orderedRoot } from '../trie/ordered-root.ts'
import { decodeHeader, type Header, headerFromFields, headerToRlp } from './header.ts'
import { type Withdrawal, withdrawalField, withdrawalToRlp } from './withdrawal.ts'

export type Block = {
  readonly header: Header
  /** The canonical bytes of each transaction. */
  readonly transactions: readonly Uint8Array[]
  readonly uncles: readonly Header[]
  /** From Shanghai on. */
  readonly withdrawals?: readonly Withdrawal[]
}

export function encodeBlock({ header, transactions, uncles, withdrawals }: Block): Uint8Array {
  return encodeRlp([
    headerToRlp(header),
    transactions.map((raw) => (isLegacy(raw) ? { rlp: raw } : raw)),
    uncles.map(headerToRlp),
    ...(withdrawals === undefined ? [] : [withdrawals.map(withdrawalToRlp)]),
  ])
}

export function decodeBlock(bytes: Uint8Array): Block {
  const [header, transactions, uncles, withdrawals, ...rest] = splitRlpList(bytes)
  if (header === undefined || transactions === undefined || uncles === undefined || rest.length > 0) {
    throw new RlpError('a block has a header, transactions, uncles and at most withdrawals')
  }
  return {
    header: decodeHeader(header),
    transactions: splitRlpList(transactions).map((item) =>
      isLegacy(item) ? item : bytesField(decodeRlp(item), 'transaction'),
    ),
    uncles: decodeRlpList(uncles).map((uncle) => headerFromFields(listField(uncle, 'uncle'))),
    ...(withdrawals && { withdrawals: decodeRlpList(withdrawals).map(withdrawalField) }),
  }
}

export function transactionsRoot(transactions: readonly Uint8Array[]): Hex {
  return orderedRoot(transactions)
}

export function unclesHash(uncles: readonly Header[]): Hex {
  return bytesToHex(keccak256(encodeRlp(uncles.map(headerToRlp))))
}

/** A legacy transaction is a list itself; a typed one is a byte string. */
function isLegacy(item: Uint8Array) {
  return item[0]! >= 0xc0
}
