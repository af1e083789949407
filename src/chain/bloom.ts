// The 2048-bit filter over addresses and topics of a receipt's or a block's logs.
import { bigintToBytes } from './hex.ts'
import { keccak256 } from './keccak.ts'
import type { Log } from './log.ts'

export const BLOOM_BYTES = 256
/** One for all receipts without logs: never write to it. */
export const EMPTY_BLOOM: Uint8Array = new Uint8Array(BLOOM_BYTES)

export function bloomOfLogs(logs: readonly Log[]): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(BLOOM_BYTES)
  for (const { address, topics } of logs) {
    addToBloom(bloom, bigintToBytes(address, 20))
    for (const topic of topics) addToBloom(bloom, bigintToBytes(topic, 32))
  }
  return bloom
}

export function unionOfBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(BLOOM_BYTES)
  for (const bloom of blooms) for (let i = 0; i < BLOOM_BYTES; i++) union[i]! |= bloom[i]!
  return union
}

/** False is certain, true is likely. */
export function mayContain(bloom: Uint8Array, entry: Uint8Array): boolean {
  const hash = keccak256(entry)
  return BIT_PAIRS.every((pair) => (bloom[byteIndex(hash, pair)]! & bitMask(hash, pair)) !== 0)
}

function addToBloom(bloom: Uint8Array, entry: Uint8Array): void {
  const hash = keccak256(entry)
  for (const pair of BIT_PAIRS) bloom[byteIndex(hash, pair)]! |= bitMask(hash, pair)
}

// Each of the hash's first three byte pairs names a bit by its low 11 bits, counted from the end of the filter.
const BIT_PAIRS = [0, 2, 4] as const
const byteIndex = (hash: Uint8Array, pair: number) => 255 - (((hash[pair]! & 7) << 5) | (hash[pair + 1]! >> 3))
const bitMask = (hash: Uint8Array, pair: number) => 1 << (hash[pair + 1]! & 7)
