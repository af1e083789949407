import { expect, test } from 'vitest'
import { bytesToHex } from '../../chain/bytes/hex.ts'
import { EMPTY_ROOT } from '../../chain/bytes/keccak.ts'
import { MemoryState } from './memory-state.ts'
import { StateTrie } from './state-trie.ts'
import { WorldState } from './world-state.ts'

function rootOf(state: MemoryState): string {
  const trie = new StateTrie()
  trie.apply({ accounts: state.accounts, wiped: new Set(), slots: state.slots, codes: state.codes })
  return bytesToHex(trie.root)
}

function opening() {
  return new MemoryState([
    [
      1n,
      {
        balance: 1n,
        storage: [
          [0n, 5n],
          [1n, 6n],
        ],
      },
    ],
    [2n, { nonce: 1n, code: Uint8Array.of(0) }],
  ])
}

function tried(change: (world: WorldState) => void) {
  const state = opening()
  const trie = new StateTrie()
  trie.apply({ accounts: state.accounts, wiped: new Set(), slots: state.slots, codes: state.codes })
  const before = trie.fork()
  const world = new WorldState(state)
  change(world)
  world.endTransaction()
  const changes = world.takeChanges()
  trie.apply(changes)
  state.apply(changes)
  return { root: bytesToHex(trie.root), fresh: rootOf(state), before: bytesToHex(before.root) }
}

test('a state without accounts has the empty root', () => expect(new StateTrie().root).toEqual(EMPTY_ROOT))

test('changing a trie gives the root of one made afresh, and leaves a fork as it was', () => {
  const { root, fresh, before } = tried((world) => {
    const record = world.record(1n)
    world.setSlot(record, world.slot(record, 0n), 0n)
    world.setSlot(record, world.slot(record, 7n), 8n)
    world.setBalance(world.record(3n), 4n)
  })
  expect(root).toBe(fresh)
  expect(before).toBe(rootOf(opening()))
  expect(root).not.toBe(before)
})

test('a destroyed account goes with its storage', () => {
  const { root, fresh } = tried((world) => world.markDestroyed(world.record(1n)))
  expect(root).toBe(fresh)
})
