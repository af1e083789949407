// Checks an answer of `eth_getProof` against a trusted root.
import { bytesToHex, equalBytes } from '../bytes/hex.ts'
import { EMPTY_ROOT, keccak256 } from '../bytes/keccak.ts'
import { decodeRlpList, type RlpItem } from '../bytes/rlp.ts'
import { bytesField } from '../bytes/rlp-fields.ts'
import { nibbleAt, nibbleCount } from './trie-node.ts'

export class InvalidProof extends Error {
  override readonly name = 'InvalidProof'
}

/** The value that `proof` proves for `key`, or null if it proves that there is none. Throws if it proves neither. */
export function provenValue(claim: {
  root: Uint8Array
  key: Uint8Array
  proof: readonly Uint8Array[]
}): Uint8Array | null {
  const { root, key, proof } = claim
  if (proof.length === 0 && equalBytes(root, EMPTY_ROOT)) return null
  let used = 0
  const nodeWithHash = (hash: Uint8Array): RlpItem[] => {
    const encoded = proof[used++]
    if (encoded === undefined) throw new InvalidProof('proof ends early')
    if (!equalBytes(keccak256(encoded), hash)) throw new InvalidProof(`no node has the hash ${bytesToHex(hash)}`)
    return decodeRlpList(encoded)
  }
  const value = walk(nodeWithHash(root), key, nodeWithHash)
  if (used !== proof.length) throw new InvalidProof(`${proof.length - used} nodes are not on the path`)
  return value
}

function walk(root: RlpItem[], key: Uint8Array, nodeWithHash: (hash: Uint8Array) => RlpItem[]): Uint8Array | null {
  const childOf = (item: RlpItem) => (Array.isArray(item) ? item : nodeWithHash(item))
  let depth = 0
  for (let node = root; ; ) {
    if (node.length === 17) {
      const child = node[nibbleAt(key, depth++)]!
      if (child.length === 0) return null
      node = childOf(child)
      continue
    }
    if (node.length !== 2) throw new InvalidProof(`a node has ${node.length} fields`)
    const path = readCompactPath(bytesField(node[0], 'path'))
    const isOnPath = path.nibbles.every(
      (nibble, i) => depth + i < nibbleCount(key) && nibble === nibbleAt(key, depth + i),
    )
    if (!isOnPath) return null
    depth += path.nibbles.length
    if (path.isLeaf) return depth === nibbleCount(key) ? bytesField(node[1], 'value') : null
    node = childOf(node[1]!)
  }
}

function readCompactPath(path: Uint8Array): { nibbles: number[]; isLeaf: boolean } {
  const flags = nibbleAt(path, 0)
  if (path.length === 0 || flags > 3) throw new InvalidProof('a path is malformed')
  const nibbles: number[] = []
  for (let at = (flags & 1) === 1 ? 1 : 2; at < nibbleCount(path); at++) nibbles.push(nibbleAt(path, at))
  return { nibbles, isLeaf: flags >= 2 }
}
