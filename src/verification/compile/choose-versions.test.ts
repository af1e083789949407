import { expect, test } from 'vitest'
import { hexToBytes } from '../../chain/bytes/hex.ts'
import type { Submission } from '../input/submission.ts'
import { chooseVersions } from './compiler-input.ts'

async function releases() {
  return ['0.7.6', '0.8.0', '0.8.19', '0.8.29', '0.8.30']
}
/** Metadata of solc 0.8.19 without a hash. */
const WITH_VERSION = hexToBytes('0xa164736f6c6343000813000a')

function choose(changes: Partial<Submission> & { source?: string }, runtime: Uint8Array = Uint8Array.of(0)) {
  const { source = 'contract A {}', ...rest } = changes
  const submission: Submission = {
    language: 'solidity',
    input: { type: 'singleFile', source, optimizer: false, runs: 200, evmVersion: null, viaIr: false },
    contractName: 'A',
    compilerVersion: null,
    libraries: [],
    ...rest,
  }
  const chain = { address: `0x${'11'.repeat(20)}`, runtime, creation: undefined } as const
  return chooseVersions(submission, chain, releases)
}

test('the version that a submission names goes before the version that the code on chain names', async () => {
  expect(await choose({ compilerVersion: 'v0.8.30+commit.73712a01' }, WITH_VERSION)).toEqual({
    type: 'versions',
    versions: ['0.8.30'],
  })
  expect(await choose({}, WITH_VERSION)).toEqual({ type: 'versions', versions: ['0.8.19'] })
})

test('the newest three releases that the pragma allows are tried where no version is named', async () => {
  const chosen = await choose({ source: 'pragma solidity ^0.8.0;' })
  expect(chosen).toEqual({ type: 'versions', versions: ['0.8.30', '0.8.29', '0.8.19'] })
})

test.each([
  ['a text that is no version', { compilerVersion: 'latest' }, 'invalid_compiler_version'],
  ['a nightly build', { compilerVersion: '0.8.31-nightly.2025.6.1' }, 'compiler_not_available'],
  ['Vyper without a version', { language: 'vyper' }, 'invalid_compiler_version'],
  ['Solidity without a version and a pragma', {}, 'invalid_compiler_version'],
] as const)('the choice of a compiler fails for %s', async (_what, changes, code) => {
  expect(await choose(changes)).toMatchObject({ type: 'failure', code })
})
