// Root of a list whose keys are its indices: transactions, receipts, withdrawals. The whole list is known, so each node is encoded
// directly from a range of it and no tree is built.
import { bytesToHex, EMPTY_BYTES, type Hex } from '../bytes/hex.ts'
import { EMPTY_ROOT } from '../bytes/keccak.ts'
import { encodeRlp, type RlpInput } from '../bytes/rlp.ts'
import {
  divergence,
  extensionPath,
  leafPath,
  type NodeReference,
  nibbleAt,
  nibbleCount,
  referenceTo,
  rootOfReference,
} from './trie-node.ts'

export function orderedRoot(values: readonly Uint8Array[]): Hex {
  if (values.length === 0) return bytesToHex(EMPTY_ROOT)
  const entries = entriesInKeyOrder(values)
  return bytesToHex(rootOfReference(nodeOver(entries, 0, entries.length, 0)))
}

type Entry = { readonly key: Uint8Array; readonly value: Uint8Array }

/** Keys are RLP integers: 0 is encoded as 0x80 and sorts after 127. */
function entriesInKeyOrder(values: readonly Uint8Array[]): Entry[] {
  const entries = values.map((value, index) => ({ key: keyOf(index), value }))
  const [zero] = entries.splice(0, 1)
  entries.splice(ZERO_POSITION, 0, zero!)
  return entries
}

/** The node over entries `from` to `to`, whose keys agree up to nibble `depth`. */
function nodeOver(entries: readonly Entry[], from: number, to: number, depth: number): NodeReference {
  const { key, value } = entries[from]!
  if (to - from === 1) return referenceTo(encodeRlp([leafPath(key, depth), value]))
  const end = divergence(key, entries[to - 1]!.key, depth, nibbleCount(key))
  const branch = branchOver(entries, from, to, end)
  return end === depth ? branch : referenceTo(encodeRlp([extensionPath(key, depth, end), branch]))
}

function branchOver(entries: readonly Entry[], from: number, to: number, depth: number): NodeReference {
  const fields: RlpInput[] = new Array(17).fill(EMPTY_BYTES)
  for (let at = from; at < to; ) {
    const nibble = nibbleAt(entries[at]!.key, depth)
    let next = at + 1
    while (next < to && nibbleAt(entries[next]!.key, depth) === nibble) next++
    fields[nibble] = nodeOver(entries, at, next, depth + 1)
    at = next
  }
  return referenceTo(encodeRlp(fields))
}

const ZERO_POSITION = 127
/** The keys of the first entries are encoded once per thread: every root of every block uses them. */
const FIRST_KEYS = Array.from({ length: 1024 }, (_, index) => encodeRlp(index))

function keyOf(index: number): Uint8Array {
  return FIRST_KEYS[index] ?? encodeRlp(index)
}
