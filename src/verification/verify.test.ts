import { encodeAbiParameters } from 'viem'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { withFlippedByte } from '../../test/support/deployed-code.ts'
import { createVerifying, failureOf, matchOf, solidity, submissionOf } from '../../test/support/verifying.ts'
import { concatBytes, hexToBytes } from '../chain/bytes/hex.ts'
import { trailingMetadata } from './matching/code-metadata.ts'

// On a busy machine compilers are slow, and tests must wait for them.
vi.setConfig({ testTimeout: 300_000 })

const verifying = createVerifying()
afterAll(() => verifying.stop())

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
  address public immutable owner;
  uint256 public immutable cap;
  string public name;
  constructor(address owner_, uint256 cap_, string memory name_) { owner = owner_; cap = cap_; name = name_; }
  function room(uint256 used) external view returns (uint256) { return used > cap ? 0 : cap - used; }
  function isOwner(address who) external view returns (bool) { return who == owner; }
}
`
const OWNER = '0x00000000000000000000000000000000000a11ce'
const vaultArguments = encodeAbiParameters(
  [{ type: 'address' }, { type: 'uint256' }, { type: 'string' }],
  [OWNER, 1000n, 'Aurora'],
)
const vaultInput = solidity({ 'contracts/Vault.sol': VAULT })
function vaultOnChain() {
  return verifying.deployed({ input: vaultInput, name: 'Vault', constructorArguments: vaultArguments })
}

describe('a standard JSON input', () => {
  test('a standard JSON input matches exactly, with arguments and immutables from the chain', async () => {
    const stages: string[] = []
    const verdict = await verifying.verify(submissionOf(vaultInput, 'Vault'), await vaultOnChain(), ({ type }) =>
      stages.push(type),
    )
    const found = matchOf(verdict)
    expect(found).toMatchObject({
      match: 'exact',
      runtime: 'exact',
      creation: 'exact',
      contract: { file: 'contracts/Vault.sol', name: 'Vault' },
      compiler: '0.8.30+commit.73712a01',
      constructorArguments: vaultArguments,
      decodedArguments: [
        { name: 'owner_', type: 'address', value: OWNER },
        { name: 'cap_', type: 'uint256', value: '1000' },
        { name: 'name_', type: 'string', value: 'Aurora' },
      ],
      optimizer: { enabled: true, runs: 200 },
      notes: [],
    })
    expect(found.immutables.map(({ value }) => BigInt(value)).sort()).toEqual([1000n, BigInt(OWNER)])
    expect(found.swarmSource).toMatch(/^ipfs:\/\/Qm[1-9A-HJ-NP-Za-km-z]{44}$/)
    expect(stages).toEqual(['fetchingCompiler', 'compiling', 'matching'])
  })

  test('a match without known creation code is exact by the runtime code alone', async () => {
    const chain = { ...(await vaultOnChain()), creation: undefined }
    expect(matchOf(await verifying.verify(submissionOf(vaultInput, 'Vault'), chain))).toMatchObject({
      match: 'exact',
      creation: null,
      constructorArguments: null,
    })
  })

  test('a source with another comment is a partial match', async () => {
    const changed = solidity({ 'contracts/Vault.sol': `${VAULT}// more words\n` })
    const found = matchOf(await verifying.verify(submissionOf(changed, 'Vault'), await vaultOnChain()))
    expect(found).toMatchObject({ match: 'partial', runtime: 'partial', creation: 'partial' })
  })

  test('the compiler is taken from the code on chain when the submission names none', async () => {
    const submission = submissionOf(vaultInput, 'Vault', { compilerVersion: null })
    expect(matchOf(await verifying.verify(submission, await vaultOnChain())).match).toBe('exact')
  })

  test('a match is at most partial where other code created the contract', async () => {
    const chain = await vaultOnChain()
    const other = { ...chain, creation: withFlippedByte(chain.creation!, 5) }
    const found = matchOf(await verifying.verify(submissionOf(vaultInput, 'Vault'), other))
    expect(found).toMatchObject({ match: 'partial', runtime: 'exact', creation: null })
    expect(found.notes[0]).toContain('created by other code')
  })

  test('a submission with other constructor arguments than those on chain is refused', async () => {
    const submission = submissionOf(vaultInput, 'Vault', { constructorArguments: '0x01' })
    expect(failureOf(await verifying.verify(submission, await vaultOnChain())).code).toBe(
      'constructor_arguments_mismatch',
    )
  })

  test('code without metadata is a partial match', async () => {
    const input = solidity({ 'Vault.sol': VAULT }, { metadata: { appendCBOR: false } })
    const chain = await verifying.deployed({ input, name: 'Vault', constructorArguments: vaultArguments })
    expect(matchOf(await verifying.verify(submissionOf(input, 'Vault'), chain))).toMatchObject({
      match: 'partial',
      swarmSource: '',
    })
  })

  test('creation code inside a blueprint matches', async () => {
    const chain = await vaultOnChain()
    const creation = hexToBytes(await verifying.creationOf({ input: vaultInput, name: 'Vault' }))
    const blueprint = concatBytes(Uint8Array.of(0xfe, 0x71, 0x00), creation)
    const onChain = { ...chain, runtime: blueprint, creation: undefined }
    expect(matchOf(await verifying.verify(submissionOf(vaultInput, 'Vault'), onChain))).toMatchObject({
      match: 'exact',
      isBlueprint: true,
    })
    const broken = { ...onChain, runtime: withFlippedByte(blueprint, 9) }
    expect(failureOf(await verifying.verify(submissionOf(vaultInput, 'Vault'), broken)).code).toBe('no_match')
  })
})

describe('metadata within the code', () => {
  const factory = (comment: string) =>
    solidity({
      'Factory.sol':
        'import "./Child.sol";\ncontract Factory { function make() external returns (Child) { return new Child(); } }',
      'Child.sol': `contract Child { uint256 public size = 1; } // ${comment}`,
    })

  test('other metadata of a contract that the code creates is a partial match', async () => {
    const chain = await verifying.deployed({ input: factory('first'), name: 'Factory' })
    expect(matchOf(await verifying.verify(submissionOf(factory('first'), 'Factory'), chain)).match).toBe('exact')
    expect(matchOf(await verifying.verify(submissionOf(factory('second'), 'Factory'), chain))).toMatchObject({
      match: 'partial',
      creation: 'partial',
    })
  })

  test('a constant that only looks like metadata must be equal', async () => {
    const lookalike = (digit: string) =>
      solidity({
        'Lookalike.sol': `contract Lookalike { function key() external pure returns (bytes memory) {
          return hex"a264697066735822${'12'.repeat(2)}${digit.repeat(64)}64736f6c63430008${'1e'}0033"; } }`,
      })
    const chain = await verifying.deployed({ input: lookalike('a'), name: 'Lookalike' })
    expect(matchOf(await verifying.verify(submissionOf(lookalike('a'), 'Lookalike'), chain)).match).toBe('exact')
    const verdict = failureOf(await verifying.verify(submissionOf(lookalike('b'), 'Lookalike'), chain))
    expect(verdict.code).toBe('no_match')
  })
})

describe('libraries', () => {
  const input = solidity({
    'Sums.sol': 'library Sums { function sum(uint256 a, uint256 b) public pure returns (uint256) { return a + b; } }',
    'Desk.sol': `import "./Sums.sol";
      contract Desk {
        function twice(uint256 a) external pure returns (uint256) { return Sums.sum(a, a); }
        function thrice(uint256 a) external pure returns (uint256) { return Sums.sum(a, Sums.sum(a, a) * a); }
      }`,
  })
  const SUMS = '0x1111111111111111111111111111111111111111'
  const OTHER = '0x2222222222222222222222222222222222222222'
  const onChain = () => verifying.deployed({ input, name: 'Desk', libraries: { Sums: SUMS } })

  test('library addresses are read from the chain and compared with the declared ones', async () => {
    const libraries = [{ name: 'Sums', address: SUMS } as const]
    const found = matchOf(await verifying.verify(submissionOf(input, 'Desk', { libraries }), await onChain()))
    expect(found).toMatchObject({ match: 'exact', libraries: [{ file: 'Sums.sol', name: 'Sums', address: SUMS }] })
  })

  test('a library at another address than declared is refused, with both addresses in the message', async () => {
    const libraries = [{ name: 'Sums.sol:Sums', address: OTHER } as const]
    const verdict = failureOf(await verifying.verify(submissionOf(input, 'Desk', { libraries }), await onChain()))
    expect(verdict.code).toBe('library_mismatch')
    expect(verdict.message).toContain(SUMS)
    expect(verdict.message).toContain(OTHER)
  })

  test('a library with two addresses in the code is refused', async () => {
    const chain = await onChain()
    const second = Buffer.from(chain.runtime).lastIndexOf(Buffer.from(SUMS.slice(2), 'hex'))
    const runtime = withFlippedByte(chain.runtime, second)
    const verdict = failureOf(await verifying.verify(submissionOf(input, 'Desk'), { ...chain, runtime }))
    expect(verdict).toMatchObject({ code: 'library_mismatch', details: { firstDifference: { lies: 'library' } } })
  })

  test('a library is refused at another address than the one in its code', async () => {
    const chain = await verifying.deployed({ input, name: 'Sums' })
    expect(matchOf(await verifying.verify(submissionOf(input, 'Sums'), chain)).match).toBe('exact')
    const moved = { ...chain, address: SUMS } as const
    expect(failureOf(await verifying.verify(submissionOf(input, 'Sums'), moved)).code).toBe('library_mismatch')
  })
})

describe('a single file', () => {
  const single = {
    type: 'singleFile',
    source: VAULT,
    optimizer: true,
    runs: 200,
    evmVersion: null,
    viaIr: false,
  } as const

  test('a single file matches exactly under the name that gives the metadata hash', async () => {
    const submission = submissionOf(vaultInput, 'Vault', { input: single })
    expect(matchOf(await verifying.verify(submission, await vaultOnChain()))).toMatchObject({
      match: 'exact',
      contract: { file: 'contracts/Vault.sol', name: 'Vault' },
      sources: { 'contracts/Vault.sol': VAULT },
    })
  })

  test('a single file with an unusual name is a partial match, and other runs without the optimizer are an exact one', async () => {
    const odd = solidity({ 'somewhere/else/V4ult.sol': VAULT })
    const chain = await verifying.deployed({ input: odd, name: 'Vault', constructorArguments: vaultArguments })
    const submission = submissionOf(vaultInput, 'Vault', { input: single })
    expect(matchOf(await verifying.verify(submission, chain)).match).toBe('partial')

    const off = solidity({ 'Vault.sol': VAULT }, { optimizer: { enabled: false, runs: 200 } })
    const unoptimised = await verifying.deployed({ input: off, name: 'Vault', constructorArguments: vaultArguments })
    const input = { ...single, optimizer: false, runs: 0 }
    expect(matchOf(await verifying.verify({ ...submission, input }, unoptimised))).toMatchObject({
      match: 'exact',
      optimizer: { enabled: false, runs: 200 },
    })
  })

  test.each([
    [{ bytecodeHash: 'none' }, 'partial'],
    [{ appendCBOR: false }, 'partial'],
    [{ bytecodeHash: 'bzzr1' }, 'exact'],
  ] as const)('a single file takes its metadata settings from the code on chain: %o', async (metadata, level) => {
    const input = solidity({ 'Vault.sol': VAULT }, { metadata })
    const chain = await verifying.deployed({ input, name: 'Vault', constructorArguments: vaultArguments })
    expect(matchOf(await verifying.verify(submissionOf(input, 'Vault', { input: single }), chain)).match).toBe(level)
  })
})

describe('a failure', () => {
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
})
