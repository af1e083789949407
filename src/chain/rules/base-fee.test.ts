import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '../bytes/hex.ts'
import type { Header } from '../codec/header.ts'
import {
  decodeHoloceneExtraData,
  ETHEREUM_BASE_FEE,
  encodeHoloceneExtraData,
  INITIAL_BASE_FEE,
  nextBaseFee,
  OP_BASE_FEE,
} from './base-fee.ts'
import { rulesOfFork } from './forks.ts'

function parent(fields: Partial<Header>) {
  return {
    gasLimit: 60_000_000n,
    gasUsed: 10_000_000n,
    baseFeePerGas: 1_000n,
    extraData: new Uint8Array(0),
    ...fields,
  } as Header
}

describe('base fee', () => {
  test('base fee starts at a gwei with London', () => {
    expect(nextBaseFee(parent({}), rulesOfFork('berlin'), ETHEREUM_BASE_FEE)).toBe(INITIAL_BASE_FEE)
  })

  test.each([
    ['stays on target', 30_000_000n, 1_000n, 1_000n],
    ['rises by an eighth after a full block', 60_000_000n, 1_000n, 1_125n],
    ['falls by an eighth after an empty block', 0n, 1_000n, 875n],
    ['rises by at least one wei', 30_000_001n, 1n, 2n],
    ['never falls below zero', 0n, 0n, 0n],
  ])('the base fee %s', (_, gasUsed, baseFeePerGas, next) => {
    expect(nextBaseFee(parent({ gasUsed, baseFeePerGas }), rulesOfFork('cancun'), ETHEREUM_BASE_FEE)).toBe(next)
  })

  test('base fee takes the parameters of the chain before Holocene, of the parent afterwards', () => {
    const extraData = encodeHoloceneExtraData({ denominator: 50n, elasticity: 12n, minBaseFee: null })
    const full = parent({ gasUsed: 60_000_000n, baseFeePerGas: 1_000_000n, extraData })
    expect(nextBaseFee(full, rulesOfFork('granite'), OP_BASE_FEE)).toBe(1_020_000n)
    expect(nextBaseFee(full, rulesOfFork('isthmus'), OP_BASE_FEE)).toBe(1_220_000n)
  })

  test('base fee never falls below the floor of Jovian', () => {
    const extraData = encodeHoloceneExtraData({ denominator: 250n, elasticity: 6n, minBaseFee: 5_000n })
    expect(nextBaseFee(parent({ extraData }), rulesOfFork('jovian'), OP_BASE_FEE)).toBe(5_000n)
  })

  test('base fee counts the data footprint as gas since Jovian', () => {
    const extraData = encodeHoloceneExtraData({ denominator: 250n, elasticity: 6n, minBaseFee: 0n })
    const heavy = parent({ extraData, baseFeePerGas: 1_000_000n, blobGasUsed: 60_000_000n })
    expect(nextBaseFee(heavy, rulesOfFork('jovian'), OP_BASE_FEE)).toBe(1_020_000n)
    expect(nextBaseFee(heavy, rulesOfFork('isthmus'), OP_BASE_FEE)).toBe(1_000_000n)
  })

  test('base fee spells the parameters as OP headers do', () => {
    const holocene = { denominator: 250n, elasticity: 6n, minBaseFee: null }
    const jovian = { ...holocene, minBaseFee: 1_000_000_000n }
    expect(bytesToHex(encodeHoloceneExtraData(holocene))).toBe('0x00000000fa00000006')
    expect(bytesToHex(encodeHoloceneExtraData(jovian))).toBe('0x01000000fa00000006000000003b9aca00')
    expect(decodeHoloceneExtraData(encodeHoloceneExtraData(holocene))).toEqual(holocene)
    expect(decodeHoloceneExtraData(encodeHoloceneExtraData(jovian))).toEqual(jovian)
  })

  test.each(['0x', '0x00000000fa000000', '0x02000000fa00000006', '0x000000000000000006', '0x0000000000fa00000000'])(
    'base fee finds no parameters in %s',
    (extraData) => {
      expect(decodeHoloceneExtraData(hexToBytes(extraData))).toBeNull()
    },
  )
})
