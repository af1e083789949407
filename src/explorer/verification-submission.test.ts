import { describe, expect, test } from 'vitest'
import { paramsFrom } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { submissionFromParams } from './verification-submission.ts'

const base = {
  chainShortName: 'DEV',
  contractAddress: `0x${'11'.repeat(20)}`,
  contractName: 'Token',
  sourceCode: 'contract Token {}',
  codeFormat: 'solidity-single-file',
  compilerVersion: 'v0.8.30+commit.73712a01',
  optimization: '1',
}

function submitted(changes: Record<string, unknown> = {}) {
  return submissionFromParams(paramsFrom(endpoints.verifySourceCode, { ...base, ...changes }))
}

describe('E15 as a submission', () => {
  test('a single file becomes a submission with its settings', () => {
    expect(submitted({ optimizationRuns: '999', evmVersion: 'paris', viaIr: true, licenseType: 'MIT' })).toEqual({
      language: 'solidity',
      input: {
        type: 'singleFile',
        source: 'contract Token {}',
        optimizer: true,
        runs: 999,
        evmVersion: 'paris',
        viaIr: true,
      },
      contractName: 'Token',
      compilerVersion: 'v0.8.30+commit.73712a01',
      libraries: [],
      licenseType: 'MIT',
    })
  })

  test('a blank EVM version is the compiler’s own, and 200 runs are what nobody says', () => {
    expect(submitted({ evmVersion: '' }).input).toMatchObject({ evmVersion: null, runs: 200, viaIr: false })
    expect(submitted({ evmVersion: 'default', optimization: '0' }).input).toMatchObject({
      evmVersion: null,
      optimizer: false,
    })
  })

  test('Vyper, however it is spelled', () => {
    for (const codeFormat of ['vyper', 'Vyper']) {
      expect(submitted({ codeFormat, compilerVersion: 'vyper:0.3.10' })).toMatchObject({
        language: 'vyper',
        compilerVersion: 'vyper:0.3.10',
        input: { type: 'singleFile' },
      })
    }
  })

  test('standard JSON becomes a submission with or without a second pair of braces, without compiler or optimization', () => {
    const json = JSON.stringify({ language: 'Solidity', sources: { 'a.sol': { content: 'contract Token {}' } } })
    const wanted = { codeFormat: 'solidity-standard-json-input', compilerVersion: '', optimization: '' }
    for (const sourceCode of [json, `{${json}}`]) {
      expect(submitted({ ...wanted, sourceCode })).toMatchObject({
        compilerVersion: null,
        input: { type: 'standardJson', json: { sources: { 'a.sol': { content: 'contract Token {}' } } } },
      })
    }
    expect(() => submitted({ ...wanted, sourceCode: 'contract Token {}' })).toThrow(/sourceCode.*JSON/)
    const remote = JSON.stringify({ language: 'Solidity', sources: { 'a.sol': { urls: ['file:///etc/passwd'] } } })
    expect(() => submitted({ ...wanted, sourceCode: remote })).toThrow(/content/)
  })

  test('a submission has libraries, and takes hex in place of an ABI for arguments of the constructor', () => {
    const libraryInfo = [{ libraryName: 'Sums', libraryAddress: `0x${'AB'.repeat(20)}` }]
    expect(submitted({ libraryInfo, contractAbi: '0xFCE353f6' })).toMatchObject({
      libraries: [{ name: 'Sums', address: `0x${'ab'.repeat(20)}` }],
      constructorArguments: '0xfce353f6',
    })
    expect(submitted({ contractAbi: ' 0XFCE353f6 ' })).toMatchObject({ constructorArguments: '0xfce353f6' })
    expect(submitted({ contractAbi: 'FCE353f6' })).toMatchObject({ constructorArguments: '0xfce353f6' })
    expect(submitted({ contractAbi: '[]' })).not.toHaveProperty('constructorArguments')
    expect(() => submitted({ contractAbi: '0xfce' })).toThrow(/hex/)
  })
})
