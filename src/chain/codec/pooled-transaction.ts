// Transactions as clients submit them: a blob transaction includes its blobs (EIP-4844, or EIP-7594 with cell proofs), every other one
// is in its canonical form. The blobs are not part of the canonical bytes, the block or the hash.

import { decodeRlpList, encodeTyped, RlpError, type RlpItem } from '../bytes/rlp.ts'
import { bytesField, expectFields, listField, uint8Field } from '../bytes/rlp-fields.ts'
import { type RecoveredTransaction, recoverTransaction } from './recovered-transaction.ts'
import { BLOB } from './transaction.ts'
import { decodeTypedFields, encodeTransaction } from './transaction-codec.ts'

export type PooledTransaction = { readonly recovered: RecoveredTransaction; readonly sidecar: BlobSidecar | null }

export type BlobSidecar = {
  /** 0: one proof per blob. 1: cell proofs (EIP-7594). */
  readonly version: 0 | 1
  readonly blobs: readonly Uint8Array[]
  readonly commitments: readonly Uint8Array[]
  readonly proofs: readonly Uint8Array[]
}

export function recoverPooledTransaction(raw: Uint8Array): PooledTransaction {
  if (raw[0] !== BLOB) return { recovered: recoverTransaction(raw), sidecar: null }
  const items = decodeRlpList(raw.subarray(1))
  const [body] = items
  if (!Array.isArray(body)) return { recovered: recoverTransaction(raw), sidecar: null }
  const canonical = encodeTransaction(decodeTypedFields(BLOB, body))
  return { recovered: recoverTransaction(canonical), sidecar: decodeSidecar(items.slice(1)) }
}

/** The bytes that a client submits. */
export function encodePooledTransaction({ recovered, sidecar }: PooledTransaction): Uint8Array {
  if (sidecar === null) return recovered.raw
  const { version, blobs, commitments, proofs } = sidecar
  const body = { rlp: recovered.raw.subarray(1) }
  return encodeTyped(BLOB, [body, ...(version === 1 ? [1] : []), blobs, commitments, proofs])
}

function decodeSidecar(items: RlpItem[]): BlobSidecar {
  const version = items[0] instanceof Uint8Array ? 1 : 0
  if (version === 1 && uint8Field(items[0], 'sidecar version') !== 1n) throw new RlpError('sidecar version is unknown')
  const lists = items.slice(version)
  expectFields(lists, 3, 'blob sidecar')
  const [blobs, commitments, proofs] = lists.map((list) =>
    listField(list, 'sidecar').map((each) => bytesField(each, 'sidecar')),
  )
  return { version, blobs: blobs!, commitments: commitments!, proofs: proofs! }
}
