// Nibbles, compact paths and references of Merkle-Patricia nodes. A path is never copied: it is a range of nibbles of some key.
import { keccak256 } from '../bytes/keccak.ts'
import { encodeRlp } from '../bytes/rlp.ts'

/** A child as its parent stores it: the hash, or the encoded child itself if that is shorter than a hash. */
export type NodeReference = { readonly rlp: Uint8Array }

export const HASH_BYTES = 32

export function referenceTo(encoded: Uint8Array): NodeReference {
  return { rlp: encoded.length < HASH_BYTES ? encoded : encodeRlp(keccak256(encoded)) }
}

/** The root is always a hash, even if its node is short. */
export function rootOfReference({ rlp }: NodeReference): Uint8Array {
  return rlp.length === HASH_BYTES + 1 ? rlp.subarray(1) : keccak256(rlp)
}

export function nibbleAt(key: Uint8Array, at: number): number {
  return (at & 1) === 0 ? key[at >> 1]! >> 4 : key[at >> 1]! & 15
}

export function nibbleCount(key: Uint8Array): number {
  return 2 * key.length
}

/** The first nibble at which two keys that agree up to `from` differ, at most `to`. */
export function divergence(a: Uint8Array, b: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && nibbleAt(a, at) === nibbleAt(b, at)) at++
  return at
}

/** The nibbles of `key` from `from` to its end, in the compact encoding of a leaf. */
export function leafPath(key: Uint8Array, from: number): Uint8Array {
  return compactPath(key, from, nibbleCount(key), 0x20)
}

/** The nibbles of `key` between two depths, in the compact encoding of an extension. */
export function extensionPath(key: Uint8Array, from: number, to: number): Uint8Array {
  return compactPath(key, from, to, 0x00)
}

function compactPath(key: Uint8Array, from: number, to: number, flag: number): Uint8Array {
  const count = to - from
  const path = new Uint8Array((count >> 1) + 1)
  const isOdd = (count & 1) === 1
  path[0] = isOdd ? flag | 0x10 | nibbleAt(key, from) : flag
  let at = isOdd ? from + 1 : from
  for (let i = 1; i < path.length; i++, at += 2) path[i] = (nibbleAt(key, at) << 4) | nibbleAt(key, at + 1)
  return path
}
