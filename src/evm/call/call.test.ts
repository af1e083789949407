import { describe, expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { blockOf, ETHER } from '../../../test/support/evm.ts'
import { bigintToBytes, bytesToBigint, EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import { codeHashOf, toCode } from '../state/code.ts'
import { type Allocation, MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { call } from './call.ts'

const CONTRACT = 0xc0den
const BLOCK = blockOf('prague')
const RETURN_TOP = 'PUSH0 MSTORE PUSH1 0x20 PUSH0 RETURN'

function worldOf(...allocations: (readonly [bigint, Allocation])[]) {
  return new WorldState(new MemoryState(allocations))
}
function withCode(text: string, more: Allocation = {}) {
  return worldOf([CONTRACT, { code: assemble(text), ...more }])
}

describe('a call', () => {
  test('a call returns what the code returns and leaves the world as it was', () => {
    const world = withCode(`PUSH1 0x2a PUSH0 SSTORE PUSH0 SLOAD ${RETURN_TOP}`)
    const result = call(world, BLOCK, { to: CONTRACT })
    expect(result).toMatchObject({ ok: true, failure: null, misses: null })
    expect(bytesToBigint(result.output)).toBe(0x2an)
    expect(world.storage(CONTRACT, 0n)).toBe(0n)
    expect(world.takeChanges()).toMatchObject({ accounts: new Map(), slots: new Map() })
  })

  test('a call keeps revert data', () => {
    const result = call(withCode('PUSH1 0x2a PUSH0 MSTORE PUSH1 0x20 PUSH0 REVERT'), BLOCK, { to: CONTRACT })
    expect(result).toMatchObject({ ok: false, failure: { type: 'reverted', message: 'execution reverted' } })
    expect(bytesToBigint(result.output)).toBe(0x2an)
  })

  test('a call is refused where the gas does not cover the beginning, or the sender the value', () => {
    expect(call(worldOf(), BLOCK, { to: 1n, gas: 20_000n }).failure).toMatchObject({ type: 'refused' })
    expect(call(worldOf(), BLOCK, { to: 1n, value: 1n }).failure).toMatchObject({ type: 'refused' })
  })

  test('a call runs to a depth of 1,024 without a larger stack', () => {
    // Calls itself with all its gas and returns one more than the call returned; at the deepest the call fails and 0 comes back.
    const code = `PUSH1 0x20 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS GAS CALL POP PUSH0 MLOAD PUSH1 0x01 ADD ${RETURN_TOP}`
    const result = call(withCode(code), blockOf('prague', { gasLimit: 10n ** 15n }), { to: CONTRACT })
    expect(bytesToBigint(result.output)).toBe(1025n)
  })

  test('a call sees balance, nonce, code and storage as the overrides have them', () => {
    const world = worldOf([
      CONTRACT,
      {
        balance: 1n,
        storage: [
          [0n, 1n],
          [1n, 2n],
        ],
      },
    ])
    const code = toCode(assemble(`PUSH0 SLOAD PUSH1 0x08 SHL PUSH1 0x01 SLOAD ADD SELFBALANCE ADD ${RETURN_TOP}`))
    const ask = (storage: object) =>
      bytesToBigint(
        call(world, BLOCK, { to: CONTRACT }, { overrides: new Map([[CONTRACT, { code, balance: 4n, ...storage }]]) })
          .output,
      )
    expect(ask({})).toBe((1n << 8n) + 2n + 4n)
    expect(ask({ stateDiff: new Map([[0n, 3n]]) })).toBe((3n << 8n) + 2n + 4n)
    expect(ask({ state: new Map([[0n, 3n]]) })).toBe((3n << 8n) + 0n + 4n)
  })

  test('a call finds a precompile where an override moved it, and nothing where it was', () => {
    const overrides = new Map([[4n, { movePrecompileTo: 0x1234n }]])
    const data = bigintToBytes(7n, 32)
    expect(call(worldOf(), BLOCK, { to: 0x1234n, data }, { overrides }).output).toEqual(data)
    expect(call(worldOf(), BLOCK, { to: 4n, data }, { overrides }).output).toEqual(EMPTY_BYTES)
  })

  test('a call names all values that it missed, round by round, until it has enough', () => {
    const code = assemble(`PUSH0 SLOAD BALANCE ${RETURN_TOP}`)
    const known = new MemoryState([
      [CONTRACT, { code, storage: [[0n, 0xabcn]] }],
      [0xabcn, { balance: ETHER }],
    ])
    const accounts = new Set([0n, BLOCK.coinbase])
    const slots = new Set<bigint>()
    const codes = new Set<bigint>()
    const world = new WorldState({
      account: (address) => (accounts.has(address) ? known.account(address) : undefined),
      storage: (address, slot) => (slots.has(slot) ? known.storage(address, slot) : undefined),
      code: (address, codeHash) => (codes.has(codeHash) ? known.code(address, codeHash) : undefined),
      blockHash: () => undefined,
    })
    const rounds: unknown[] = []
    for (;;) {
      const { misses, output } = call(world, BLOCK, { to: CONTRACT })
      if (misses === null) {
        expect(bytesToBigint(output)).toBe(ETHER)
        break
      }
      rounds.push([[...misses.accounts], [...misses.codes.values()], [...misses.slots.keys()]])
      for (const address of misses.accounts) accounts.add(address)
      for (const codeHash of misses.codes.values()) codes.add(codeHash)
      for (const keys of misses.slots.values()) for (const key of keys) slots.add(key)
    }
    expect(rounds).toEqual([
      [[CONTRACT], [], []],
      [[], [codeHashOf(code)], []],
      [[], [], [CONTRACT]],
      [[0xabcn], [], []],
    ])
  })
})
