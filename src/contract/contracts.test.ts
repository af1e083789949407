import { expect, test } from 'vitest'
import { contractCreationInfo, verifySourceCode } from './contracts.ts'
import { paramsFrom } from './endpoint.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`

const SINGLE = {
  chainShortName: 'DEV',
  contractAddress: ADDRESS,
  contractName: 'Vault',
  sourceCode: 'contract Vault {}',
  codeFormat: 'solidity-single-file',
  compilerVersion: 'v0.8.30+commit.73712a01',
  optimization: '1',
  optimizationRuns: '200',
}

function messageOf(change: Record<string, unknown>): string {
  try {
    paramsFrom(verifySourceCode, { ...SINGLE, ...change })
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

function libraries(count: number, name = (index: number) => `L${index}`) {
  return { libraryInfo: Array.from({ length: count }, (_, i) => ({ libraryName: name(i), libraryAddress: ADDRESS })) }
}

test('a submission of one file leaves with its runs as a number and viaIr false', () => {
  expect(paramsFrom(verifySourceCode, SINGLE)).toEqual({ ...SINGLE, optimizationRuns: 200, viaIr: false })
})

test('one file needs a compiler version and the optimizer’s switch', () => {
  expect(messageOf({ compilerVersion: '' })).toBe('Parameter compilerVersion can not be empty.')
  expect(messageOf({ optimization: undefined })).toBe('Parameter optimization can not be empty.')
  expect(messageOf({ codeFormat: 'vyper', optimization: '' })).toBe('Parameter optimization can not be empty.')
})

test('a standard JSON input carries its own settings, so both may be left out', () => {
  const change = { codeFormat: 'solidity-standard-json-input', compilerVersion: '', optimization: '' }
  expect(messageOf(change)).toBe('accepted')
})

test('compiler versions are taken as Solidity, Vyper and their nightlies write them', () => {
  const good = ['0.8.30', 'v0.4.11', 'v0.8.30+commit.73712a01', 'vyper:0.3.10', 'v0.8.31-nightly.2025.6.11+commit.abc']
  expect(good.map((compilerVersion) => messageOf({ compilerVersion }))).toEqual(good.map(() => 'accepted'))
  const bad = ['latest', '0.8', '^0.8.0', '>=0.8.0', '0.8.30 ', '../0.8.30', '0.8.30/../../etc', 'vyper 0.3.10', 8]
  for (const compilerVersion of bad) {
    expect(messageOf({ compilerVersion }), String(compilerVersion)).toContain('must be a compiler version such as')
  }
})

test('optimizer runs go to 2 to the 32 less one', () => {
  expect(messageOf({ optimizationRuns: '4294967295' })).toBe('accepted')
  expect(messageOf({ optimizationRuns: '4294967296' })).toBe(
    'Parameter optimizationRuns error: must be at most 4294967295.',
  )
  expect(messageOf({ optimizationRuns: '-1' })).toContain('must be an integer as a string')
  expect(messageOf({ optimizationRuns: 200 })).toContain('must be an integer as a string')
})

test('ten libraries of different names are accepted and eleven are too many', () => {
  expect(messageOf(libraries(10))).toBe('accepted')
  expect(messageOf(libraries(11))).toBe(
    'Parameter libraryInfo count exceeds the limit: at most 10 different libraries.',
  )
})

test('the same library in several files counts once', () => {
  expect(messageOf(libraries(30, (i) => `L${i % 10}`))).toBe('accepted')
})

test('a library has a name and an address', () => {
  expect(messageOf({ libraryInfo: [{ libraryName: '', libraryAddress: ADDRESS }] })).toContain('can not be empty')
  expect(messageOf({ libraryInfo: [{ libraryName: 'L', libraryAddress: '0x1' }] })).toMatch(
    /^Parameter libraryInfo\W0\WlibraryAddress error: must be 0x followed by 40 hex digits\.$/,
  )
  expect(messageOf({ libraryInfo: 'L' })).toContain('must be a list of libraryName and libraryAddress')
})

test('four million characters of source are accepted and one more is refused', () => {
  expect(messageOf({ sourceCode: 'x'.repeat(4_000_000) })).toBe('accepted')
  expect(messageOf({ sourceCode: 'x'.repeat(4_000_001) })).toBe(
    'Parameter sourceCode error: must have at most 4000000 characters.',
  )
})

test('an EVM version is one of those that a compiler knows, spelled as it spells it', () => {
  expect(messageOf({ evmVersion: 'tangerineWhistle' })).toBe('accepted')
  expect(messageOf({ evmVersion: 'Paris' })).toContain('must be one of default, homestead')
  expect(messageOf({ evmVersion: '' })).toBe('accepted')
})

test('viaIr is a boolean and not a word', () => {
  expect(paramsFrom(verifySourceCode, { ...SINGLE, viaIr: true }).viaIr).toBe(true)
  expect(messageOf({ viaIr: 'true' })).toBe('Parameter viaIr error: must be true or false.')
})

test('the creation of several contracts is asked for with commas between them', () => {
  const params = paramsFrom(contractCreationInfo, { chainShortName: 'DEV', contractAddress: `${ADDRESS},${ADDRESS}` })
  expect(params.contractAddress).toEqual([ADDRESS, ADDRESS])
})
