// The expected fees are worked out by hand from the OP specification's formulas.
import { describe, expect, test } from 'vitest'
import { L1_BLOCK } from '../../chain/rules/addresses.ts'
import { rulesOfFork } from '../../chain/rules/forks.ts'
import { MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { daFootprint, l1Fee, l1GasUsed, l1Parameters, operatorFee } from './op-fees.ts'

const parameters = parametersFrom({ daFootprintGasScalar: 0n })
/** 480 gas as calldata, and short enough to count as the smallest transaction. */
const raw = new Uint8Array(30).fill(1)

function parametersFrom({ daFootprintGasScalar }: { daFootprintGasScalar: bigint }) {
  const storage = [
    [1n, 1_000_000_000n],
    [3n, (2n << 96n) | (3n << 64n)],
    [7n, 10_000_000n],
    [8n, (daFootprintGasScalar << 96n) | (1_439_103_868n << 64n) | 1_256_417_826_609_331_460n],
  ] as const
  return l1Parameters(new WorldState(new MemoryState([[L1_BLOCK, { nonce: 1n, storage }]])))
}

describe('the L1 data fee', () => {
  test('the L1 data fee before Fjord goes by the gas of the bytes as calldata', () => {
    expect(l1Fee(rulesOfFork('ecotone'), parameters, raw)).toBe(960_900n)
    expect(l1GasUsed(rulesOfFork('ecotone'), raw)).toBe(480n)
  })

  test('the L1 data fee from Fjord on goes by the estimated compressed size, at least 100 bytes', () => {
    expect(l1Fee(rulesOfFork('fjord'), parameters, raw)).toBe(3_203_000n)
    expect(l1GasUsed(rulesOfFork('fjord'), raw)).toBe(1600n)
  })
})

describe('the operator fee', () => {
  test('the operator fee is nothing before Isthmus', () =>
    expect(operatorFee(rulesOfFork('holocene'), parameters, 1618n)).toBe(0n))

  test('the operator fee takes millionths of the scalar per gas in Isthmus', () => {
    const perGas = (1618n * 1_439_103_868n) / 1_000_000n
    expect(operatorFee(rulesOfFork('isthmus'), parameters, 1618n)).toBe(1_256_417_826_609_331_460n + perGas)
  })

  test('the operator fee takes a hundred times the scalar per gas in Jovian', () => {
    const perGas = 1618n * 1_439_103_868n * 100n
    expect(operatorFee(rulesOfFork('jovian'), parameters, 1618n)).toBe(1_256_417_826_609_331_460n + perGas)
  })
})

describe('the data footprint', () => {
  test('the data footprint is the estimated size times the scalar of L1Block', () => {
    expect(daFootprint(parametersFrom({ daFootprintGasScalar: 7n }), raw)).toBe(700n)
  })

  test('the data footprint takes 400 where L1Block says nothing', () =>
    expect(daFootprint(parameters, raw)).toBe(40_000n))
})
