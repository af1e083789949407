import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryState } from './memory-state.ts'
import { StateLayer } from './state-layer.ts'
import type { StateSource } from './state-source.ts'
import { WorldState } from './world-state.ts'

const EMPTY_ADDRESS = 3n
const ADDRESSES = [1n, 2n, EMPTY_ADDRESS]
const SLOTS = [0n, 1n]

function opening() {
  return new MemoryState([
    [1n, { balance: 10n, nonce: 1n, storage: [[0n, 5n]] }],
    [2n, { balance: 0n, code: Uint8Array.of(0x00), storage: [[1n, 6n]] }],
  ])
}

const nothing: StateSource = {
  account: () => undefined,
  storage: () => undefined,
  code: () => undefined,
  blockHash: () => undefined,
}

/** Everything a reader could see of the few addresses that these tests use. */
function visible(source: StateSource) {
  return ADDRESSES.map((address) => ({
    account: source.account(address),
    slots: SLOTS.map((slot) => source.storage(address, slot)),
  }))
}

type Change = { readonly type: string; readonly address: bigint; readonly slot: bigint; readonly value: bigint }

const changes = fc.array(
  fc.record({
    type: fc.constantFrom(
      'balance',
      'nonce',
      'code',
      'slot',
      'transient',
      'touch',
      'create',
      'destroy',
      'log',
      'refund',
    ),
    address: fc.constantFrom(...ADDRESSES),
    slot: fc.constantFrom(...SLOTS),
    value: fc.bigInt(0n, 3n),
  }),
)

function change(world: WorldState, { type, address, slot, value }: Change): void {
  const record = world.record(address)
  if (type === 'balance') world.setBalance(record, value)
  if (type === 'nonce') world.setNonce(record, value)
  if (type === 'code') world.setCode(record, new Uint8Array(Number(value)))
  if (type === 'slot') world.setSlot(record, world.slot(record, slot), value)
  if (type === 'transient') world.setTransientSlot(record, slot, value)
  if (type === 'touch') world.touch(record)
  // The engine makes contracts only where no storage is.
  if (type === 'create' && address === EMPTY_ADDRESS) world.markCreated(record)
  if (type === 'destroy') world.markDestroyed(record)
  if (type === 'log') world.addLog({ address, topics: [], data: new Uint8Array(0) })
  if (type === 'refund') world.addRefund(Number(value))
}

describe('a world', () => {
  test('a world is after a revert what it was at the checkpoint', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const world = new WorldState(opening())
        for (const each of before) change(world, each)
        const expected = { seen: visible(world), logs: [...world.logs], refund: world.refund }
        const checkpoint = world.checkpoint()
        for (const each of after) change(world, each)
        world.revert(checkpoint)
        expect({ seen: visible(world), logs: world.logs, refund: world.refund }).toEqual(expected)
      }),
    )
  })

  test('the changes of a world, applied below it, give the same state', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 3 }), (transactions) => {
        const below = opening()
        const world = new WorldState(below)
        for (const transaction of transactions) {
          world.beginTransaction()
          for (const each of transaction) change(world, each)
          world.endTransaction()
        }
        const seen = visible(world)
        const taken = world.takeChanges()
        const layer = new StateLayer(opening())
        layer.apply(taken)
        below.apply(taken)
        expect(visible(layer)).toEqual(seen)
        expect(visible(below)).toEqual(seen)
        expect(visible(new WorldState(below))).toEqual(seen)
      }),
    )
  })

  test('a world reports each change once', () => {
    const world = new WorldState(opening())
    world.setBalance(world.record(1n), 11n)
    world.endTransaction()
    expect([...world.takeChanges().accounts.keys()]).toEqual([1n])
    expect(world.takeChanges().accounts.size).toBe(0)
  })

  test('a world does not report what was changed and changed back', () => {
    const world = new WorldState(opening())
    const record = world.record(1n)
    world.setBalance(record, 99n)
    world.setSlot(record, world.slot(record, 0n), 9n)
    world.setBalance(record, 10n)
    world.setSlot(record, world.slot(record, 0n), 5n)
    world.endTransaction()
    const { accounts, slots } = world.takeChanges()
    expect([accounts.size, slots.size]).toEqual([0, 0])
  })

  test('a world lets an account go that a transaction touched and left empty', () => {
    const world = new WorldState(new MemoryState([[1n, {}]]))
    expect(world.account(1n)).not.toBeNull()
    world.touch(world.record(1n))
    world.endTransaction()
    expect(world.account(1n)).toBeNull()
  })

  test('a world hides the storage of a destroyed account, also from a world above it', () => {
    const world = new WorldState(opening())
    world.markDestroyed(world.record(1n))
    world.endTransaction()
    expect(world.account(1n)).toBeNull()
    expect(new WorldState(world).storage(1n, 0n)).toBe(0n)
    expect([...world.takeChanges().wiped]).toEqual([1n])
  })

  test('a world forgets warmth, transient storage, logs and refunds with the transaction', () => {
    const world = new WorldState(opening())
    world.warm(world.record(1n))
    world.setTransientSlot(world.record(1n), 0n, 1n)
    world.addRefund(4800)
    world.endTransaction()
    expect(world.warm(world.record(1n))).toBe(false)
    expect(world.transientSlot(world.record(1n), 0n)).toBe(0n)
    expect(world.refund).toBe(0)
  })
})

describe('what the source does not know', () => {
  test('what the source does not know is noted, and asked for again once it was handed over', () => {
    const asked: bigint[] = []
    const world = new WorldState({
      ...nothing,
      account(address) {
        asked.push(address)
        return asked.length === 1 ? undefined : { nonce: 0n, balance: 7n, codeHash: 1n }
      },
    })
    expect(world.record(1n).balance).toBe(0n)
    world.hashOfBlock(3)
    const misses = world.takeMisses()
    expect(misses).toEqual({
      accounts: new Set([1n]),
      slots: new Map(),
      codes: new Map(),
      blockHashes: new Set([3]),
    })
    expect(world.record(1n).balance).toBe(7n)
    expect(world.slot(world.record(1n), 4n).value).toBe(0n)
    world.codeOf(world.record(1n))
    expect(world.takeMisses()).toMatchObject({ slots: new Map([[1n, new Set([4n])]]), codes: new Map([[1n, 1n]]) })
    expect(world.takeMisses()).toBeNull()
  })

  test('what the source does not know passes through the worlds in between and is noted by the one that asked', () => {
    const between = new WorldState(nothing)
    const above = new WorldState(between)
    above.record(5n)
    expect(between.takeMisses()).toBeNull()
    expect(above.takeMisses()?.accounts).toEqual(new Set([5n]))
  })

  test('what the source does not know does not include the storage of a contract made here', () => {
    const world = new WorldState({ ...nothing, account: () => null })
    const record = world.record(1n)
    world.markCreated(record)
    world.touch(record)
    expect(world.slot(record, 0n).value).toBe(0n)
    expect(world.takeMisses()).toBeNull()
  })
})
