import { describe, expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { blockOf, ETHER } from '../../../test/support/evm.ts'
import { MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { call } from './call.ts'
import { estimateGas } from './estimate.ts'

const [OUTER, INNER, SENDER] = [0xa1n, 0xa2n, 0xa3n]
const BLOCK = blockOf('prague')

function worldWith(outer: string, inner = 'STOP', storage: [bigint, bigint][] = []) {
  return new WorldState(
    new MemoryState([
      [OUTER, { code: assemble(outer), storage }],
      [INNER, { code: assemble(inner) }],
      [SENDER, { balance: ETHER }],
    ]),
  )
}

describe('an estimate', () => {
  test('an estimate is 21,000 for a plain transfer', () => {
    const message = { from: SENDER, to: 0xbeefn, value: 1n }
    expect(estimateGas(worldWith('STOP'), BLOCK, message)).toEqual({ type: 'estimated', gas: 21_000n })
  })

  test.each([
    ['one that writes', 'PUSH1 0x01 PUSH0 SSTORE', 'STOP', []],
    ['one whose refund is more than what it lacks', 'PUSH0 PUSH0 SSTORE', 'STOP', [[0n, 1n]]],
    [
      'one whose inner call gets all but a sixty-fourth and must succeed',
      'PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 0xa2 GAS CALL PUSH1 0x0f JUMPI PUSH0 PUSH0 REVERT JUMPDEST STOP',
      'PUSH1 0x01 PUSH0 SSTORE PUSH1 0x01 PUSH1 0x01 SSTORE',
      [],
    ],
  ])('an estimate is the very least that will do: %s', (_, outer, inner, storage) => {
    const world = worldWith(outer, inner, storage as [bigint, bigint][])
    const estimate = estimateGas(world, BLOCK, { from: SENDER, to: OUTER })
    if (estimate.type !== 'estimated') throw new Error(estimate.type)
    expect(call(world, BLOCK, { from: SENDER, to: OUTER, gas: estimate.gas }).ok).toBe(true)
    expect(call(world, BLOCK, { from: SENDER, to: OUTER, gas: estimate.gas - 1n }).ok).toBe(false)
  })

  test.each(['osaka', 'karst'] as const)('an estimate is never above the cap of a transaction at %s', (fork) => {
    const block = { ...blockOf(fork), gasLimit: 60_000_000n }
    // Succeeds only with more than 20 million gas, which is more than a transaction may have.
    const world = worldWith('GAS PUSH4 0x01312d00 LT PUSH1 0x0d JUMPI PUSH0 PUSH0 REVERT JUMPDEST STOP')
    const message = { from: SENDER, to: OUTER }
    expect(estimateGas(world, { ...block, rules: BLOCK.rules }, message)).toMatchObject({ type: 'estimated' })
    expect(estimateGas(world, block, message)).toMatchObject({ type: 'failed' })
    expect(estimateGas(world, block, { ...message, gas: 30_000_000n })).toMatchObject({ type: 'failed' })
  })

  test('an estimate fails with the revert data of a message that always reverts', () => {
    const estimate = estimateGas(worldWith('PUSH1 0x20 PUSH0 REVERT'), BLOCK, { to: OUTER })
    expect(estimate).toMatchObject({ type: 'failed', failure: { type: 'reverted' }, output: new Uint8Array(32) })
  })

  test('an estimate goes no further than the balance can pay for', () => {
    const message = { from: SENDER, to: OUTER, gasPrice: ETHER / 25_000n }
    const estimate = estimateGas(worldWith('PUSH1 0x01 PUSH0 SSTORE'), BLOCK, message)
    expect(estimate).toMatchObject({ type: 'failed', failure: { type: 'halted', message: 'out of gas' } })
  })

  test('an estimate names the values that it missed', () => {
    const world = new WorldState({
      account: () => undefined,
      storage: () => undefined,
      code: () => undefined,
      blockHash: () => undefined,
    })
    expect(estimateGas(world, BLOCK, { to: OUTER })).toMatchObject({ type: 'missed' })
  })
})
