import { toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { bigintToBytes, bytesToHex } from '../bytes/hex.ts'
import { encodeTyped } from '../bytes/rlp.ts'
import { encodePooledTransaction, recoverPooledTransaction } from './pooled-transaction.ts'
import { signTransaction } from './recovered-transaction.ts'
import { BLOB, LEGACY } from './transaction.ts'

const privateKey = bigintToBytes(7n, 32)
const payload = { nonce: 0n, gasLimit: 21_000n, to: 1n, value: 0n, data: new Uint8Array(0) }
const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, maxFeePerBlobGas: 1n }
const blobTransaction = signTransaction(
  { ...payload, ...fees, type: BLOB, chainId: 1n, accessList: [], blobVersionedHashes: [1n << 248n] },
  privateKey,
)
const lists = {
  blobs: [new Uint8Array(131_072).fill(1)],
  commitments: [new Uint8Array(48)],
  proofs: [new Uint8Array(48)],
}

describe('pooled transactions', () => {
  test.each([0, 1] as const)(
    'pooled transactions leave the blobs of wrapper version %i out of the canonical bytes',
    (version) => {
      const sidecar = { version, ...lists }
      const raw = encodePooledTransaction({ recovered: blobTransaction, sidecar })
      expect(recoverPooledTransaction(raw)).toEqual({ recovered: blobTransaction, sidecar })
    },
  )

  test('pooled transactions have the wrapper of EIP-4844', () => {
    const raw = encodePooledTransaction({ recovered: blobTransaction, sidecar: { version: 0, ...lists } })
    const inner = toRlp([lists.blobs, lists.commitments, lists.proofs], 'hex')
    expect(raw[0]).toBe(BLOB)
    expect(bytesToHex(raw).endsWith(inner.slice(10))).toBe(true)
  })

  test('pooled transactions without blobs come as they are', () => {
    expect(recoverPooledTransaction(blobTransaction.raw)).toEqual({ recovered: blobTransaction, sidecar: null })
    const plain = signTransaction({ ...payload, type: LEGACY, chainId: 1n, gasPrice: 1n }, privateKey)
    expect(recoverPooledTransaction(plain.raw)).toEqual({ recovered: plain, sidecar: null })
  })

  test('pooled transactions refuse an unknown wrapper version and a missing list', () => {
    const body = { rlp: blobTransaction.raw.subarray(1) }
    expect(() => recoverPooledTransaction(encodeTyped(BLOB, [body, 2, [], [], []]))).toThrow('version is unknown')
    expect(() => recoverPooledTransaction(encodeTyped(BLOB, [body, [], []]))).toThrow('must have 3 fields')
  })
})
