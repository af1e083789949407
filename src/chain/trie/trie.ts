// A Merkle-Patricia trie in memory. Nodes are immutable: a write copies the path to the root and shares the rest, so an old root stays
// valid while somebody holds it, and to fork or discard a state costs nothing. Only the cached reference of a node is filled in later.
// All keys must have the same length (in practice: 32-byte hashes), and values must not be empty.
import { EMPTY_BYTES, equalBytes } from '../bytes/hex.ts'
import { EMPTY_ROOT } from '../bytes/keccak.ts'
import { encodeRlp, type RlpInput } from '../bytes/rlp.ts'
import {
  divergence,
  extensionPath,
  HASH_BYTES,
  leafPath,
  type NodeReference,
  nibbleAt,
  nibbleCount,
  referenceTo,
  rootOfReference,
} from './trie-node.ts'

export type Trie = TrieNode | null

export const EMPTY_TRIE: Trie = null

export function trieRoot(trie: Trie): Uint8Array {
  return trie === null ? EMPTY_ROOT : rootOfReference(referenceOf(trie, 0))
}

export function trieGet(trie: Trie, key: Uint8Array): Uint8Array | null {
  let depth = 0
  for (let node = trie; node !== null; ) {
    switch (node.kind) {
      case 'leaf':
        return equalBytes(node.key, key) ? node.value : null
      case 'extension':
        if (divergence(node.key, key, depth, node.end) !== node.end) return null
        depth = node.end
        node = node.child
        break
      case 'branch':
        node = node.children[nibbleAt(key, depth++)]!
    }
  }
  return null
}

export function trieSet(trie: Trie, key: Uint8Array, value: Uint8Array): Trie {
  return set(trie, 0, key, value)
}

export function trieDelete(trie: Trie, key: Uint8Array): Trie {
  return remove(trie, 0, key)
}

/** The encoded nodes from the root towards `key`, as `eth_getProof` lists them; they also prove that a key is absent. */
export function trieProof(trie: Trie, key: Uint8Array): Uint8Array[] {
  const proof: Uint8Array[] = []
  let depth = 0
  for (let node = trie; node !== null; ) {
    const encoded = encodeNode(node, depth)
    if (depth === 0 || encoded.length >= HASH_BYTES) proof.push(encoded)
    switch (node.kind) {
      case 'leaf':
        return proof
      case 'extension':
        if (divergence(node.key, key, depth, node.end) !== node.end) return proof
        depth = node.end
        node = node.child
        break
      case 'branch':
        node = node.children[nibbleAt(key, depth++)]!
    }
  }
  return proof
}

// A node does not store its depth; the function that walks the trie knows it. The cached reference is valid for one depth only, so a
// node that moves up or down is created again.
type TrieNode = Leaf | Extension | Branch
type Leaf = {
  readonly kind: 'leaf'
  readonly key: Uint8Array
  readonly value: Uint8Array
  reference: NodeReference | null
}
type Extension = {
  readonly kind: 'extension'
  /** The key of any leaf below. Its nibbles up to `end`, the depth of the child, are the path. */
  readonly key: Uint8Array
  readonly end: number
  readonly child: Branch
  reference: NodeReference | null
}
type Branch = { readonly kind: 'branch'; readonly children: readonly Trie[]; reference: NodeReference | null }

function createLeaf(key: Uint8Array, value: Uint8Array): Leaf {
  return { kind: 'leaf', key, value, reference: null }
}
function createBranch(children: readonly Trie[]): Branch {
  return { kind: 'branch', children, reference: null }
}
function createExtension(key: Uint8Array, end: number, child: Branch): Extension {
  return {
    kind: 'extension',
    key,
    end,
    child,
    reference: null,
  }
}

function set(node: Trie, depth: number, key: Uint8Array, value: Uint8Array): TrieNode {
  if (node === null) return createLeaf(key, value)
  switch (node.kind) {
    case 'leaf': {
      const end = divergence(node.key, key, depth, nibbleCount(key))
      if (end === nibbleCount(key)) return equalBytes(node.value, value) ? node : createLeaf(key, value)
      const fork = branchOfTwo(end, node.key, createLeaf(node.key, node.value), createLeaf(key, value))
      return extendTo(fork, depth, end, key)
    }
    case 'extension': {
      const end = divergence(node.key, key, depth, node.end)
      if (end === node.end) {
        const child = set(node.child, end, key, value) as Branch
        return child === node.child ? node : createExtension(node.key, end, child)
      }
      const rest = extendTo(node.child, end + 1, node.end, node.key)
      return extendTo(branchOfTwo(end, node.key, rest, createLeaf(key, value)), depth, end, key)
    }
    case 'branch': {
      const nibble = nibbleAt(key, depth)
      const before = node.children[nibble]!
      const after = set(before, depth + 1, key, value)
      return after === before ? node : createBranch(node.children.with(nibble, after))
    }
  }
}

function remove(node: Trie, depth: number, key: Uint8Array): Trie {
  if (node === null) return null
  switch (node.kind) {
    case 'leaf':
      return equalBytes(node.key, key) ? null : node
    case 'extension': {
      if (divergence(node.key, key, depth, node.end) !== node.end) return node
      const child = remove(node.child, node.end, key)
      return child === node.child ? node : lift(child!, node.end)
    }
    case 'branch': {
      const nibble = nibbleAt(key, depth)
      const before = node.children[nibble]!
      const after = remove(before, depth + 1, key)
      if (after === before) return node
      const children = node.children.with(nibble, after)
      const survivors = children.filter((child) => child !== null)
      return survivors.length === 1 ? lift(survivors[0]!, depth + 1) : createBranch(children)
    }
  }
}

/** Returns a copy of a node that was at depth `from` and now begins further up. */
function lift(node: TrieNode, from: number): TrieNode {
  switch (node.kind) {
    case 'leaf':
      return createLeaf(node.key, node.value)
    case 'extension':
      return createExtension(node.key, node.end, node.child)
    case 'branch':
      return createExtension(anyKeyBelow(node), from, node)
  }
}

/** The branch at depth `end`, with an extension above it if the path begins further up. */
function extendTo(branch: Branch, from: number, end: number, key: Uint8Array) {
  return from === end ? branch : createExtension(key, end, branch)
}

function branchOfTwo(depth: number, firstKey: Uint8Array, first: TrieNode, second: Leaf): Branch {
  const children: Trie[] = new Array(16).fill(null)
  children[nibbleAt(firstKey, depth)] = first
  children[nibbleAt(second.key, depth)] = second
  return createBranch(children)
}

function anyKeyBelow(branch: Branch): Uint8Array {
  const child = branch.children.find((each) => each !== null)!
  return child.kind === 'branch' ? anyKeyBelow(child) : child.key
}

function referenceOf(node: TrieNode, depth: number): NodeReference {
  node.reference ??= referenceTo(encodeNode(node, depth))
  return node.reference
}

function encodeNode(node: TrieNode, depth: number): Uint8Array {
  switch (node.kind) {
    case 'leaf':
      return encodeRlp([leafPath(node.key, depth), node.value])
    case 'extension':
      return encodeRlp([extensionPath(node.key, depth, node.end), referenceOf(node.child, node.end)])
    case 'branch': {
      const fields: RlpInput[] = node.children.map((child) =>
        child === null ? EMPTY_BYTES : referenceOf(child, depth + 1),
      )
      fields.push(EMPTY_BYTES)
      return encodeRlp(fields)
    }
  }
}
