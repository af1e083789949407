// Keccak-256 with one WebAssembly hasher per thread. It is reused because creating one costs more than a thousand hashes.
import { createKeccak } from 'hash-wasm'
import { EMPTY_BYTES } from './hex.ts'

const hasher = await createKeccak(256)

export function keccak256(bytes: Uint8Array): Uint8Array {
  hasher.init()
  hasher.update(bytes)
  return hasher.digest('binary')
}

/** Code hash of an account without code. */
export const KECCAK_EMPTY = keccak256(EMPTY_BYTES)

/** Root of a trie without entries: the hash of RLP's empty string. */
export const EMPTY_ROOT = keccak256(Uint8Array.of(0x80))

/** Uncle hash of a block without uncles: the hash of RLP's empty list. */
export const EMPTY_LIST_HASH = keccak256(Uint8Array.of(0xc0))
