import { describe, expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { blockOf } from '../../../test/support/evm.ts'
import { concatBytes } from '../../chain/bytes/hex.ts'
import { EMPTY_REQUESTS_HASH } from '../../chain/codec/header.ts'
import {
  BEACON_ROOTS,
  CONSOLIDATION_REQUESTS,
  HISTORY_STORAGE,
  SYSTEM_ADDRESS,
  WITHDRAWAL_REQUESTS,
} from '../../chain/rules/addresses.ts'
import { type Allocation, MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { beginBlock, endBlock, requestsHash } from './block.ts'

/** Stores what it is sent in slot 0 and who sent it in slot 1. */
const keeper = { nonce: 1n, code: assemble('PUSH0 CALLDATALOAD PUSH0 SSTORE CALLER PUSH1 0x01 SSTORE') }
const start = { parentHash: 0xaan, parentBeaconRoot: 0xbbn }

function worldOf(...allocations: (readonly [bigint, Allocation])[]) {
  return new WorldState(new MemoryState(allocations))
}

describe('the beginning of a block', () => {
  test('a block begins by writing the parent hash and the beacon root to the system contracts', () => {
    const world = worldOf([HISTORY_STORAGE, keeper], [BEACON_ROOTS, keeper])
    beginBlock(world, blockOf('prague'), start)
    expect([world.storage(HISTORY_STORAGE, 0n), world.storage(HISTORY_STORAGE, 1n)]).toEqual([0xaan, SYSTEM_ADDRESS])
    expect(world.storage(BEACON_ROOTS, 0n)).toBe(0xbbn)
    expect(world.account(SYSTEM_ADDRESS)).toBeNull()
  })

  test('a block before Prague writes no parent hash', () => {
    const world = worldOf([HISTORY_STORAGE, keeper])
    beginBlock(world, blockOf('cancun'), start)
    expect(world.storage(HISTORY_STORAGE, 0n)).toBe(0n)
  })

  test('the beginning of a block passes over system contracts that are not there', () => {
    const world = worldOf()
    beginBlock(world, blockOf('prague'), start)
    expect(world.takeChanges().accounts.size).toBe(0)
  })
})

describe('the end of a block', () => {
  test('the end of a block pays withdrawals in gwei', () => {
    const world = worldOf()
    const withdrawals = [{ index: 0n, validatorIndex: 0n, address: 0xabn, amountGwei: 3n }]
    endBlock(world, blockOf('shanghai'), { withdrawals, logs: [] })
    expect(world.account(0xabn)?.balance).toBe(3_000_000_000n)
  })

  test('the end of a block collects what the request contracts answer, but not on an OP chain', () => {
    const answer = { nonce: 1n, code: assemble('PUSH1 0x2a PUSH0 MSTORE8 PUSH1 0x01 PUSH0 RETURN') }
    const world = worldOf([WITHDRAWAL_REQUESTS, answer], [CONSOLIDATION_REQUESTS, answer])
    const requests = endBlock(world, blockOf('prague'), { withdrawals: [], logs: [] })
    expect(requests.map(({ bytes }) => [...bytes])).toEqual([[], [0x2a], [0x2a]])
    expect(endBlock(world, blockOf('isthmus'), { withdrawals: [], logs: [] })).toEqual([])
  })

  test('the end of a block takes deposits out of the logs of the deposit contract', () => {
    const field = (length: number, fill: number) => {
      const padded = new Uint8Array(32 + 32 * Math.ceil(length / 32))
      return padded.fill(fill, 32, 32 + length)
    }
    const data = concatBytes(new Uint8Array(160), field(48, 1), field(32, 2), field(8, 3), field(96, 4), field(8, 5))
    const topics = [0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5n]
    const logs = [
      { address: 0xden, topics, data },
      { address: 0xdfn, topics, data },
    ]
    const [deposits] = endBlock(worldOf(), blockOf('prague'), { withdrawals: [], logs, depositContract: 0xden })
    const expected = [48, 32, 8, 96, 8].flatMap((length, index) => new Array(length).fill(index + 1))
    expect([...deposits!.bytes]).toEqual(expected)
  })

  test('the end of a block has the hash of nothing where nothing is requested', () => {
    expect(requestsHash([{ type: 0, bytes: new Uint8Array(0) }])).toBe(EMPTY_REQUESTS_HASH)
  })
})
