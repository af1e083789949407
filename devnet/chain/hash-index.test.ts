import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { HashIndex } from './hash-index.ts'

describe('the index of hashes', () => {
  test('the index of hashes knows what a map knows', () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex)
    fc.assert(
      fc.property(fc.array(fc.tuple(hash, fc.nat(1_000_000))), hash, (entries, stranger) => {
        const index = new HashIndex()
        for (const [key, height] of entries) index.set(key, height)
        const map = new Map(entries)
        for (const key of [...map.keys(), stranger]) expect(index.get(key)).toBe(map.get(key) ?? null)
      }),
    )
  })

  test('the index of hashes grows', () => {
    const index = new HashIndex()
    const hashes: Hex[] = Array.from({ length: 20_000 }, (_, i) => bytesToHex(keccak256(Uint8Array.of(i, i >> 8))))
    for (const [height, hash] of hashes.entries()) index.set(hash, height)
    for (const [height, hash] of hashes.entries()) expect(index.get(hash)).toBe(height)
  })
})
