import { describe, expect, test } from 'vitest'
import { hexToBytes } from '../../chain/bytes/hex.ts'
import type { Submission } from '../input/submission.ts'
import { inputsOf, locateContract, outputsOf, parseContractName } from './compiler-input.ts'

const NO_METADATA = new Uint8Array()
const BZZR1 = hexToBytes(`0xa165627a7a72315820${'11'.repeat(32)}0029`)

function singleFile(language: Submission['language']): Submission {
  return {
    language,
    input: { type: 'singleFile', source: 'source', optimizer: true, runs: 7, evmVersion: null, viaIr: false },
    contractName: 'folder/A.sol:A',
    compilerVersion: null,
    libraries: [],
  }
}

describe('the inputs of a submission', () => {
  test('a single Solidity file is named for its contract and has the settings of the form', () => {
    expect(inputsOf(singleFile('solidity'), '0.5.17', NO_METADATA)).toEqual([
      {
        language: 'Solidity',
        sources: { 'A.sol': { content: 'source' } },
        settings: { optimizer: { enabled: true, runs: 7 } },
      },
    ])
  })

  test('the metadata settings of a single Solidity file follow the code on chain', () => {
    const settingsFor = (runtime: Uint8Array) =>
      inputsOf(singleFile('solidity'), '0.8.30', runtime)[0]!.settings.metadata
    expect(settingsFor(NO_METADATA)).toEqual({ appendCBOR: false })
    expect(settingsFor(BZZR1)).toEqual({ bytecodeHash: 'bzzr1' })
  })

  test('a single Vyper file is tried with the default of the compiler first, then with other modes', () => {
    const optimizeOf = (version: string) =>
      inputsOf(singleFile('vyper'), version, NO_METADATA).map(({ settings }) => settings.optimize)
    expect(optimizeOf('0.3.10')).toEqual([undefined, 'none', 'codesize'])
    expect(optimizeOf('0.3.7')).toEqual([undefined, false])
  })
})

describe('the named contract', () => {
  const sources = { 'contracts/A.sol': { content: '' }, 'B.vy': { content: '' } }

  test('a contract name may have a file in front and an ending behind', () => {
    expect(parseContractName('contracts/A.sol:A')).toEqual({ file: 'contracts/A.sol', name: 'A' })
    expect(parseContractName('A.vy')).toEqual({ file: undefined, name: 'A' })
  })

  test('a file that is not among the sources is ignored, and a Vyper contract is found by its file name', () => {
    const solidity = { language: 'Solidity', sources, settings: {} } as const
    expect(locateContract(solidity, { file: 'contracts/A.sol', name: 'A' }).file).toBe('contracts/A.sol')
    expect(locateContract(solidity, { file: 'A.sol', name: 'A' }).file).toBeUndefined()
    expect(locateContract({ ...solidity, language: 'Vyper' }, { file: undefined, name: 'B' }).file).toBe('B.vy')
  })

  test('a name without a file selects every contract before solc 0.6, which ignores such a selection', () => {
    const contractsIn = (version: string) =>
      Object.keys(outputsOf('solidity', version, { file: undefined, name: 'A' })['*'] as object)
    expect(contractsIn('0.5.17')).toEqual(['*'])
    expect(contractsIn('0.8.30')).toEqual(['A'])
  })
})
