import { expect, test } from 'vitest'
import { findSourceName, ipfsHash } from './source-name.ts'

const SOURCE = 'contract Vault {}'

function metadataFor(file: string, optimizer: object = { enabled: true, runs: 200 }): string {
  return JSON.stringify({
    settings: { compilationTarget: { [file]: 'Vault' }, optimizer, libraries: {} },
    sources: { [file]: { keccak256: '0x12' } },
  })
}

function find(onChainMetadata: string, optimizer?: object) {
  const bytes = ipfsHash(Buffer.from(onChainMetadata))!
  return findSourceName({
    metadata: metadataFor('Vault.sol', optimizer),
    file: 'Vault.sol',
    contractName: 'Vault',
    source: SOURCE,
    onChain: { start: 0, end: 0, hash: { type: 'ipfs', bytes }, compiler: '0.8.30' },
    libraries: new Map(),
  })
}

test.each(['contracts/Vault.sol', './Vault.sol', 'src/Vault.sol', 'contracts/flattened.sol'])(
  'the original name %s of a single file is found by the metadata hash',
  (file) => {
    expect(find(metadataFor(file))).toEqual({ file, metadata: metadataFor(file), settings: {} })
  },
)

test('an unusual name of a single file is not found', () => {
  expect(find(metadataFor('somewhere/else/V4ult.sol'))).toBeUndefined()
})

test('other optimizer runs are found where the optimizer is off', () => {
  const original = metadataFor('Vault.sol', { enabled: false, runs: 200 })
  expect(find(original, { enabled: false, runs: 0 })).toMatchObject({ file: 'Vault.sol', settings: { runs: 200 } })
})
