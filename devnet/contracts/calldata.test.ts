import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { artifactOf } from './artifact.ts'
import { callOf, creationOf } from './calldata.ts'

const ALICE: Hex = '0x00000000000000000000000000000000000a11ce'

describe('calldata', () => {
  test('calldata is what viem encodes', () => {
    const { abi } = artifactOf('AuroraDollar')
    const expected = encodeFunctionData({ abi, functionName: 'transfer', args: [ALICE, 5n] })
    expect(callOf('AuroraDollar', 'transfer', [ALICE, 5n])).toBe(expected)
  })

  test('calldata takes a whole signature where a name has two functions', () => {
    const data = callOf('StarAtlas', 'safeTransferFrom(address,address,uint256)', [ALICE, ALICE, 1n])
    expect(data.slice(0, 10)).toBe('0x42842e0e')
    expect(() => callOf('StarAtlas', 'safeTransferFrom', [ALICE, ALICE, 1n])).toThrow('2 functions')
  })

  test('calldata refuses a function that the contract does not have', () => {
    expect(() => callOf('AuroraDollar', 'burn', [1n])).toThrow('0 functions called burn')
  })
})

describe('creation code', () => {
  test('creation code ends with the constructor arguments', () => {
    expect(creationOf('AuroraDollar', [ALICE])).toBe(
      artifactOf('AuroraDollar').bytecode + ALICE.slice(2).padStart(64, '0'),
    )
  })

  test('creation code has the library where the compiler left room', () => {
    const [range] = artifactOf('SunDiary').linkReferences['patterns/Almanac.sol']!.Almanac!
    const linked = creationOf('SunDiary', [], { Almanac: ALICE })
    expect(linked.slice(2 + 2 * range!.start).startsWith(ALICE.slice(2))).toBe(true)
    expect(linked).not.toBe(artifactOf('SunDiary').bytecode)
  })

  test('creation code is not made without an address for each library', () => {
    expect(() => creationOf('SunDiary')).toThrow('library Almanac is missing')
  })
})
