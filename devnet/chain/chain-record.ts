// The records of the chain's log: a block was added, or blocks were removed. Each record carries the state changes it leads to, so
// that reading the log forwards gives the newest state. The record's head is all that an index needs; its body is compressed.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  bigintToBytes,
  bytesToBigint,
  bytesToHex,
  concatBytes,
  type Hex,
  hexToBytes,
} from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { decodeRlpList, encodeRlp } from '../../src/chain/bytes/rlp.ts'
import { bytesField, fixedBytesField, hashField, listField, numberField } from '../../src/chain/bytes/rlp-fields.ts'
import { decodeBlock, encodeBlock } from '../../src/chain/codec/block.ts'
import { BLOOM_BYTES } from '../../src/chain/codec/bloom.ts'
import { headerHash } from '../../src/chain/codec/header.ts'
import { encodeReceipt } from '../../src/chain/codec/receipt.ts'
import type { StateChanges } from '../../src/evm/state/state-source.ts'
import { decodeChanges, encodeChanges } from './changes.ts'
import { PREFIX_BYTES } from './hash-index.ts'
import type { ChainBlock, IncludedTransaction } from './included-transaction.ts'
import { includedTransaction } from './included-transaction.ts'
import { decodeAttributes } from './l1-origin.ts'
import { decodeAnyReceipt, decodeAnyTransaction } from './own-transaction.ts'
import type { Protocol } from './protocol.ts'

export type RecordHead =
  | {
      readonly type: 'block'
      readonly number: number
      readonly hash: Hex
      readonly bloom: Uint8Array
      /** First bytes of the transactions' hashes, one after the other. */
      readonly transactionPrefixes: Uint8Array
    }
  /** Every block above `number` was removed. */
  | { readonly type: 'rewind'; readonly number: number }

export type EncodedRecord = { readonly head: Uint8Array; readonly body: Uint8Array }

export function encodeBlockRecord({ header, hash, transactions }: ChainBlock, changes: StateChanges): EncodedRecord {
  const prefixes = transactions.map(({ recovered }) => hexToBytes(recovered.hash).subarray(0, PREFIX_BYTES))
  const raws = transactions.map(({ recovered }) => recovered.raw)
  const block = encodeBlock({ header, transactions: raws, uncles: [], withdrawals: [] })
  const senders = transactions.map(({ recovered }) => bigintToBytes(recovered.from, ADDRESS_BYTES))
  const receipts = transactions.map(({ receipt }) => encodeReceipt(receipt))
  return {
    head: encodeRlp([BLOCK_KIND, header.number, hexToBytes(hash), header.logsBloom, concatBytes(...prefixes)]),
    body: zstdCompressSync(encodeRlp([encodeChanges(changes), block, concatBytes(...senders), receipts])),
  }
}

export function encodeRewindRecord(number: number, changes: StateChanges): EncodedRecord {
  return {
    head: encodeRlp([REWIND_KIND, number]),
    body: zstdCompressSync(encodeRlp([encodeChanges(changes)])),
  }
}

export function decodeHead(bytes: Uint8Array): RecordHead {
  const [kind, number, hash, bloom, prefixes] = decodeRlpList(bytes)
  if (numberField(kind, 'kind') === REWIND_KIND) return { type: 'rewind', number: numberField(number, 'number') }
  return {
    type: 'block',
    number: numberField(number, 'number'),
    hash: hashField(hash, 'hash'),
    bloom: fixedBytesField(bloom, 'bloom', BLOOM_BYTES),
    transactionPrefixes: bytesField(prefixes, 'prefixes'),
  }
}

export function decodeStateChanges(body: Uint8Array): StateChanges {
  const [changes] = decodeRlpList(decompressed(body))
  return decodeChanges(bytesField(changes, 'changes'))
}

export function decodeChainBlock({ rules }: Protocol, body: Uint8Array): ChainBlock {
  const [, encoded, senders, receipts] = decodeRlpList(decompressed(body))
  const blockBytes = bytesField(encoded, 'block')
  const { header, transactions: raws } = decodeBlock(blockBytes)
  const addresses = bytesField(senders, 'senders')
  const recovered = raws.map((raw, i) => ({
    transaction: decodeAnyTransaction(raw),
    raw,
    hash: bytesToHex(keccak256(raw)),
    from: bytesToBigint(addresses, i * ADDRESS_BYTES, (i + 1) * ADDRESS_BYTES),
  }))
  const { parameters } = decodeAttributes(recovered[0]!.transaction.data)
  const transactions: IncludedTransaction[] = []
  for (const [i, item] of listField(receipts, 'receipts').entries()) {
    const receipt = decodeAnyReceipt(bytesField(item, 'receipt'))
    const previous = transactions.at(-1)
    transactions.push(includedTransaction({ rules, parameters }, { recovered: recovered[i]!, receipt, previous }))
  }
  return { header, hash: headerHash(header), size: blockBytes.length, transactions }
}

/** Copies the bytes: a slice of a Buffer would share its memory. */
function decompressed(body: Uint8Array): Uint8Array {
  const { buffer, byteOffset, length } = zstdDecompressSync(body)
  return new Uint8Array(buffer, byteOffset, length)
}

const BLOCK_KIND = 0
const REWIND_KIND = 1
const ADDRESS_BYTES = 20
