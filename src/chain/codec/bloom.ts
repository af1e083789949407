// The 2048-bit filter over addresses and topics of a receipt's or a block's logs.
import { LRUCache } from 'lru-cache'
import { bigintToBytes } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import type { Log } from './log.ts'

export const BLOOM_BYTES = 256
/** Shared by all receipts without logs: never write to it. */
export const EMPTY_BLOOM: Uint8Array = new Uint8Array(BLOOM_BYTES)

export function bloomOfLogs(logs: readonly Log[]): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(BLOOM_BYTES)
  for (const { address, topics } of logs) {
    addToBloom(bloom, address, ADDRESS_BYTES)
    for (const topic of topics) addToBloom(bloom, topic, TOPIC_BYTES)
  }
  return bloom
}

export function unionOfBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(BLOOM_BYTES)
  for (const bloom of blooms) for (let i = 0; i < BLOOM_BYTES; i++) union[i]! |= bloom[i]!
  return union
}

/** False is certain, true is probable. */
export function bloomMayContain(bloom: Uint8Array, entry: Uint8Array): boolean {
  const hash = keccak256(entry)
  return BIT_PAIRS.every((pair) => (bloom[byteIndex(hash, pair)]! & bitMask(hash, pair)) !== 0)
}

function addToBloom(bloom: Uint8Array, entry: bigint, length: number): void {
  for (const bit of bitsOf(entry, length)) bloom[bit >> 3]! |= 1 << (bit & 7)
}

/** The positions of an entry's three bits. The same contracts and events occur often, so the positions are cached. */
function bitsOf(entry: bigint, length: number): readonly number[] {
  const cache = length === ADDRESS_BYTES ? bitsOfAddresses : bitsOfTopics
  const cached = cache.get(entry)
  if (cached !== undefined) return cached
  const hash = keccak256(bigintToBytes(entry, length))
  const bits = BIT_PAIRS.map((pair) => (byteIndex(hash, pair) << 3) | (hash[pair + 1]! & 7))
  cache.set(entry, bits)
  return bits
}

const ADDRESS_BYTES = 20
const TOPIC_BYTES = 32
const MAX_CACHED_ENTRIES = 10_000
const bitsOfAddresses = new LRUCache<bigint, readonly number[]>({ max: MAX_CACHED_ENTRIES })
const bitsOfTopics = new LRUCache<bigint, readonly number[]>({ max: MAX_CACHED_ENTRIES })

// Each of the hash's first three byte pairs selects a bit by its low 11 bits, counted from the end of the filter.
const BIT_PAIRS = [0, 2, 4] as const
function byteIndex(hash: Uint8Array, pair: number) {
  return 255 - (((hash[pair]! & 7) << 5) | (hash[pair + 1]! >> 3))
}
function bitMask(hash: Uint8Array, pair: number) {
  return 1 << (hash[pair + 1]! & 7)
}
