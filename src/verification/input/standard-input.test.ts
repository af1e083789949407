import { expect, test } from 'vitest'
import { appendsMetadata, evmVersionOf, librariesIn, optimizerOf, parseStandardInput } from './standard-input.ts'

const SOURCES = { 'A.sol': { content: 'contract A {}' } }
const ADDRESS = `0x${'11'.repeat(20)}`

function problemOf(input: unknown): string {
  const parsed = parseStandardInput(input)
  if (parsed.type === 'input') throw new Error('it was accepted')
  return parsed.message
}

test('a standard JSON input is accepted as text, as a value, and in a second pair of braces', () => {
  const input = { language: 'Solidity', sources: SOURCES, settings: { viaIR: true } }
  const accepted = { type: 'input', input }
  expect(parseStandardInput(input)).toEqual(accepted)
  expect(parseStandardInput(JSON.stringify(input))).toEqual(accepted)
  expect(parseStandardInput(`{${JSON.stringify(input)}}`)).toEqual(accepted)
})

test('output selection, model checker and stopAfter of a submitted input are dropped', () => {
  const settings = { outputSelection: {}, modelChecker: {}, stopAfter: 'parsing', evmVersion: 'cancun' }
  const parsed = parseStandardInput({ language: 'Solidity', sources: SOURCES, settings })
  expect(parsed).toMatchObject({ type: 'input', input: { settings: { evmVersion: 'cancun' } } })
  expect(Object.keys((parsed as { input: { settings: object } }).input.settings)).toEqual(['evmVersion'])
})

test.each([
  ['no JSON', '{', /it is not JSON/],
  ['an unknown language', { language: 'Cobol', sources: SOURCES }, /language must be Solidity, Yul or Vyper/],
  ['no files', { language: 'Solidity', sources: {} }, /sources has no file/],
  ['urls', { language: 'Solidity', sources: { 'A.sol': { urls: ['/etc/passwd'] } } }, /A\.sol has no content; urls/],
])('a standard JSON input with %s is refused with the reason', (_what, input, reason) => {
  expect(problemOf(input)).toMatch(reason)
})

test('settings that are absent have the defaults of the compilers', () => {
  expect(optimizerOf({})).toEqual({ enabled: false, runs: 200 })
  expect(optimizerOf({ optimizer: { enabled: true, runs: 7 } })).toEqual({ enabled: true, runs: 7 })
  expect(optimizerOf({ optimize: 'codesize' })).toEqual({ enabled: true, runs: 200 })
  expect(optimizerOf({ optimize: 'none' })).toEqual({ enabled: false, runs: 200 })
  expect(evmVersionOf({})).toBe('')
  expect(appendsMetadata({})).toBe(true)
  expect(appendsMetadata({ metadata: { appendCBOR: false } })).toBe(false)
})

test('the libraries of settings are those with an address', () => {
  const libraries = { 'A.sol': { Sums: ADDRESS, Broken: '0x12' }, 'B.sol': 'nothing' }
  expect(librariesIn({ libraries })).toEqual([{ file: 'A.sol', name: 'Sums', address: ADDRESS }])
  expect(librariesIn({})).toEqual([])
})
