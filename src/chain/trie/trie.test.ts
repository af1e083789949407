import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bigintToBytes, bytesToHex, type Hex, hexToBytes } from '../bytes/hex.ts'
import { EMPTY_ROOT, keccak256 } from '../bytes/keccak.ts'
import { encodeRlp, type RlpInput } from '../bytes/rlp.ts'
import { EMPTY_TRIE, type Trie, trieDelete, trieGet, trieProof, trieRoot, trieSet } from './trie.ts'
import { InvalidProof, provenValue } from './trie-proof.ts'

type Write = { key: Uint8Array; value: Uint8Array | null }

// Few distinct nibbles and short keys make shared paths, splits and merges likely; short values make nodes that sit inside their parent.
const crowdedKey = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11), { minLength: 3, maxLength: 3 })
  .map((bytes) => Uint8Array.from(bytes))
const hashedKey = fc.integer({ min: 0, max: 40 }).map((n) => keccak256(bigintToBytes(BigInt(n), 32)))
const value = fc.option(fc.uint8Array({ minLength: 1, maxLength: 40 }), { nil: null, freq: 2 })
function writesOf(key: fc.Arbitrary<Uint8Array>) {
  return fc.array(fc.record({ key, value }), { maxLength: 60 })
}
const anyWrites = fc.oneof(writesOf(crowdedKey), writesOf(hashedKey))

describe('trie', () => {
  test('trie has the root that the remaining entries define, after any inserts and deletes', () => {
    fc.assert(
      fc.property(anyWrites, (writes) => {
        expect(bytesToHex(trieRoot(written(EMPTY_TRIE, writes)))).toBe(naiveRoot(remaining(writes)))
      }),
      { numRuns: 500 },
    )
  })

  test('trie has the right root after every single write, with hashes cached from the one before', () => {
    fc.assert(
      fc.property(anyWrites, (writes) => {
        let trie: Trie = EMPTY_TRIE
        for (const [i, write] of writes.entries()) {
          trie = written(trie, [write])
          expect(bytesToHex(trieRoot(trie))).toBe(naiveRoot(remaining(writes.slice(0, i + 1))))
        }
      }),
    )
  })

  test.each([
    ['a leaf', ['0x1000', '0x1100']],
    ['an extension', ['0x2200', '0x2201', '0x1000']],
    ['a branch', ['0x2100', '0x2200', '0x1000']],
    ['what an extension led to', ['0x2100', '0x2200']],
  ] as const)('the trie hashes %s again when its last neighbour goes and it moves up', (_, keys) => {
    const writes = keys.map((key) => ({ key: hexToBytes(key), value: hexToBytes(key) }))
    const full = written(EMPTY_TRIE, writes)
    trieRoot(full)
    const left = trieDelete(full, hexToBytes(keys.at(-1)!))
    expect(bytesToHex(trieRoot(left))).toBe(naiveRoot(remaining(writes.slice(0, -1))))
  })

  test('trie agrees with @ethereumjs/mpt', async () => {
    await fc.assert(
      fc.asyncProperty(writesOf(hashedKey), async (writes) => {
        const reference = new MerklePatriciaTrie()
        for (const write of writes) await reference.put(write.key, write.value)
        expect(trieRoot(written(EMPTY_TRIE, writes))).toEqual(reference.root())
      }),
      { numRuns: 30 },
    )
  })

  test('trie gives back what was written last, and null for what was deleted or never there', () => {
    fc.assert(
      fc.property(anyWrites, crowdedKey, (writes, other) => {
        const trie = written(EMPTY_TRIE, writes)
        const left = remaining(writes)
        for (const { key } of writes) expect(trieGet(trie, key)).toEqual(left.get(bytesToHex(key)) ?? null)
        if (writes[0]?.key.length === other.length) {
          expect(trieGet(trie, other)).toEqual(left.get(bytesToHex(other)) ?? null)
        }
      }),
    )
  })

  test('trie leaves the trie it started from as it was', () => {
    fc.assert(
      fc.property(writesOf(crowdedKey), writesOf(crowdedKey), (before, after) => {
        const trie = written(EMPTY_TRIE, before)
        written(trie, after)
        expect(bytesToHex(trieRoot(trie))).toBe(naiveRoot(remaining(before)))
      }),
    )
  })

  test('trie is the same object after a write that changes nothing', () => {
    const [key, other] = [keccak256(Uint8Array.of(1)), keccak256(Uint8Array.of(2))]
    const trie = trieSet(trieSet(EMPTY_TRIE, key, key), other, other)
    expect(trieSet(trie, key, Uint8Array.from(key))).toBe(trie)
    expect(trieDelete(trie, keccak256(Uint8Array.of(3)))).toBe(trie)
  })

  test('trie proves presence and absence of any key', () => {
    fc.assert(
      fc.property(anyWrites, (writes) => {
        const half = writes.slice(0, writes.length / 2)
        const trie = written(EMPTY_TRIE, half)
        const root = trieRoot(trie)
        for (const { key } of writes) {
          expect(provenValue({ root, key, proof: trieProof(trie, key) })).toEqual(trieGet(trie, key))
        }
      }),
    )
  })

  test('trie proves as @ethereumjs/mpt does', async () => {
    const keys = Array.from({ length: 30 }, (_, i) => keccak256(Uint8Array.of(i)))
    const reference = new MerklePatriciaTrie()
    for (const key of keys.slice(0, 20)) await reference.put(key, key)
    const trie = keys.slice(0, 20).reduce((grown, key) => trieSet(grown, key, key), EMPTY_TRIE)
    const { createMerkleProof } = await import('@ethereumjs/mpt')
    for (const key of keys) expect(trieProof(trie, key)).toEqual(await createMerkleProof(reference, key))
  })

  test('trie refuses a proof with a changed, a missing or a spare node', () => {
    const keys = Array.from({ length: 30 }, (_, i) => keccak256(Uint8Array.of(i)))
    const trie = keys.reduce((grown, key) => trieSet(grown, key, key), EMPTY_TRIE)
    const [root, key, proof] = [trieRoot(trie), keys[7]!, trieProof(trie, keys[7]!)]
    const changed = proof.map((node, i) => (i === 1 ? node.with(node.length - 1, node.at(-1)! ^ 1) : node))
    expect(() => provenValue({ root, key, proof: changed })).toThrow(InvalidProof)
    expect(() => provenValue({ root, key, proof: proof.slice(0, -1) })).toThrow('ends early')
    expect(() => provenValue({ root, key, proof: [...proof, proof[0]!] })).toThrow('not on the path')
    expect(() => provenValue({ root, key, proof: [] })).toThrow('ends early')
  })

  test('trie of nothing has the known empty root, and an empty proof suffices', () => {
    expect(trieRoot(EMPTY_TRIE)).toEqual(EMPTY_ROOT)
    expect(provenValue({ root: EMPTY_ROOT, key: EMPTY_ROOT, proof: [] })).toBeNull()
  })
})

function written(trie: Trie, writes: readonly Write[]): Trie {
  return writes.reduce(
    (grown, { key, value }) => (value === null ? trieDelete(grown, key) : trieSet(grown, key, value)),
    trie,
  )
}

function remaining(writes: readonly Write[]): Map<Hex, Uint8Array> {
  const entries = new Map<Hex, Uint8Array>()
  for (const { key, value } of writes) {
    if (value === null) entries.delete(bytesToHex(key))
    else entries.set(bytesToHex(key), value)
  }
  return entries
}

/** The definition of the Yellow Paper, over nibble strings, with no thought of speed. */
function naiveRoot(entries: Map<Hex, Uint8Array>): Hex {
  if (entries.size === 0) return bytesToHex(EMPTY_ROOT)
  const paths = [...entries].map(([key, value]) => [key.slice(2), value] as const)
  return bytesToHex(keccak256(encodeRlp(naiveNode(paths))))
}

function naiveNode(entries: (readonly [path: string, value: Uint8Array])[]): RlpInput[] {
  const [first] = entries
  if (entries.length === 1) return [hexPrefix(first![0], 2), first![1]]
  let shared = 0
  while (entries.every(([path]) => path[shared] === first![0][shared])) shared++
  if (shared > 0) {
    const rest = entries.map(([path, value]) => [path.slice(shared), value] as const)
    return [hexPrefix(first![0].slice(0, shared), 0), capped(naiveNode(rest))]
  }
  const children = [...'0123456789abcdef'].map((nibble): RlpInput => {
    const below = entries.filter(([path]) => path[0] === nibble).map(([path, value]) => [path.slice(1), value] as const)
    return below.length === 0 ? new Uint8Array(0) : capped(naiveNode(below))
  })
  return [...children, new Uint8Array(0)]
}

function capped(node: RlpInput[]): RlpInput {
  const encoded = encodeRlp(node)
  return encoded.length < 32 ? node : keccak256(encoded)
}

function hexPrefix(path: string, flag: number): Uint8Array {
  return hexToBytes(path.length % 2 === 1 ? `0x${flag + 1}${path}` : `0x${flag}0${path}`)
}
