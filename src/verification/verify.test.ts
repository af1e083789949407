import { afterAll, describe, expect, test, vi } from 'vitest'
import { withFlippedByte } from '../../test/support/deployed-code.ts'
import { deployedVault, OWNER, VAULT, vaultArguments, vaultInput } from '../../test/support/verification/vault.ts'
import { createVerifying, failureOf, matchOf, solidity, submissionOf } from '../../test/support/verifying.ts'
import { concatBytes, hexToBytes } from '../chain/bytes/hex.ts'

// On a busy machine compilers are slow, and tests must wait for them.
vi.setConfig({ testTimeout: 300_000 })

const verifying = createVerifying()
afterAll(() => verifying.stop())

const vaultOnChain = () => deployedVault(verifying)

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
