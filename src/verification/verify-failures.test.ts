import { afterAll, expect, test, vi } from 'vitest'
import { withFlippedByte } from '../../test/support/deployed-code.ts'
import { deployedVault, OWNER, VAULT, vaultInput } from '../../test/support/verification/vault.ts'
import { createVerifying, failureOf, solidity, submissionOf } from '../../test/support/verifying.ts'
import { trailingMetadata } from './matching/code-metadata.ts'

// On a busy machine compilers are slow, and tests must wait for them.
vi.setConfig({ testTimeout: 300_000 })

const verifying = createVerifying()
afterAll(() => verifying.stop())
const vaultOnChain = () => deployedVault(verifying)

test('a failure says where the code differs and which optimizer setting is likely', async () => {
  const input = solidity({ 'contracts/Vault.sol': VAULT }, { optimizer: { enabled: false, runs: 200 } })
  const verdict = failureOf(await verifying.verify(submissionOf(input, 'Vault'), await vaultOnChain()))
  expect(verdict.code).toBe('no_match')
  expect(verdict.details.firstDifference).toMatchObject({ code: 'runtime', lies: 'code' })
  expect(verdict.details.likelySetting).toContain('the optimizer was on')
})

test('a failure says that the EVM version is likely a later one', async () => {
  const input = solidity({ 'contracts/Vault.sol': VAULT }, { evmVersion: 'shanghai' })
  const verdict = failureOf(await verifying.verify(submissionOf(input, 'Vault'), await vaultOnChain()))
  expect(verdict.message).toContain('evmVersion is likely cancun or later')
})

test('a failure says which other contract of the sources the code on chain is', async () => {
  const input = solidity({ 'A.sol': 'contract One { uint public a; } contract Two { uint public b; }' })
  const chain = await verifying.deployed({ input, name: 'Two' })
  const verdict = failureOf(await verifying.verify(submissionOf(input, 'One'), chain))
  expect(verdict).toMatchObject({ code: 'no_match', details: { matchingContracts: ['A.sol:Two'] } })
  const misspelt = failureOf(await verifying.verify(submissionOf(input, 'Tow'), chain))
  expect(misspelt).toMatchObject({
    code: 'contract_not_found',
    details: { availableContracts: ['A.sol:One', 'A.sol:Two'], matchingContracts: ['A.sol:Two'] },
  })
  const strange = failureOf(await verifying.verify(submissionOf(input, 'Tow'), await vaultOnChain()))
  expect(strange.message).toBe('There is no contract Tow among the sources. They have A.sol:One, A.sol:Two.')
})

test('a failure says that an immutable has two values', async () => {
  const chain = await vaultOnChain()
  const at = Buffer.from(chain.runtime).lastIndexOf(Buffer.from(OWNER.slice(2), 'hex'))
  const runtime = withFlippedByte(chain.runtime, at + 19)
  const verdict = failureOf(await verifying.verify(submissionOf(vaultInput, 'Vault'), { ...chain, runtime }))
  expect(verdict).toMatchObject({ code: 'immutable_mismatch', details: { firstDifference: { lies: 'immutable' } } })
})

test('a failure says which compiler the code on chain names', async () => {
  const chain = await vaultOnChain()
  const { end } = trailingMetadata(chain.runtime)!
  const runtime = withFlippedByte(withFlippedByte(chain.runtime, end - 3), 40)
  const verdict = failureOf(await verifying.verify(submissionOf(vaultInput, 'Vault'), { ...chain, runtime }))
  expect(verdict.details).toMatchObject({ compilerSubmitted: '0.8.30+commit.73712a01', compilerOnChain: '0.8.31' })
  expect(verdict.message).toContain('compiled by 0.8.31')
})

test('a failure has the errors of the compiler', async () => {
  const input = solidity({ 'A.sol': 'contract A { uint a = "text"; }' })
  const verdict = failureOf(await verifying.verify(submissionOf(input, 'A'), await vaultOnChain()))
  expect(verdict.code).toBe('compiler_error')
  expect(verdict.details.errors?.[0]).toContain('TypeError')
  expect(verdict.message).not.toContain('compiled by')
  const chain = await vaultOnChain()
  const runtime = withFlippedByte(chain.runtime, trailingMetadata(chain.runtime)!.end - 3)
  const other = failureOf(await verifying.verify(submissionOf(input, 'A'), { ...chain, runtime }))
  expect(other.message).toMatch(/TypeError.*The code on chain says that it was compiled by 0\.8\.31\.$/s)
})

test('a failure says what to do about a missing import, and no file of this machine is read', async () => {
  const chain = await vaultOnChain()
  const source = 'import "/etc/passwd"; contract A {}'
  const file = { type: 'singleFile', source, optimizer: true, runs: 200, evmVersion: null, viaIr: false } as const
  const input = solidity({ 'A.sol': source })
  const single = failureOf(await verifying.verify(submissionOf(input, 'A', { input: file }), chain))
  expect(single).toMatchObject({ code: 'compiler_error', message: expect.stringContaining('flatten it into one') })
  const several = failureOf(await verifying.verify(submissionOf(input, 'A'), chain))
  expect(several.message).toMatch(/"\/etc\/passwd" not found.*must be among the sources/s)
})

test('an abstract contract, an address without code and an invalid version fail with their own codes', async () => {
  const chain = await vaultOnChain()
  const input = solidity({ 'A.sol': 'abstract contract A { function f() external virtual; }' })
  expect(failureOf(await verifying.verify(submissionOf(input, 'A'), chain)).code).toBe('contract_has_no_code')
  const empty = { ...chain, runtime: new Uint8Array() }
  expect(failureOf(await verifying.verify(submissionOf(input, 'A'), empty)).code).toBe('contract_not_deployed')
  const versionless = submissionOf(input, 'A', { compilerVersion: 'latest' })
  expect(failureOf(await verifying.verify(versionless, chain)).code).toBe('invalid_compiler_version')
  const nightly = submissionOf(input, 'A', { compilerVersion: 'v0.8.31-nightly.2025.6.1+commit.aaaaaaaa' })
  expect(failureOf(await verifying.verify(nightly, chain)).code).toBe('compiler_not_available')
})
