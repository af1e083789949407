import { describe, expect, test } from 'vitest'
import { type Hex, hexToBytes } from '../bytes/hex.ts'
import type { RecoveredTransaction } from '../codec/recovered-transaction.ts'
import { DEPOSIT } from '../codec/transaction.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from './addresses.ts'
import { detectFork, type ForkMarks, unknownMark, upgradeSourceHash } from './fork-detection.ts'

const HASH: Hex = `0x${'11'.repeat(32)}`
function attributes(selector: Hex) {
  return [
    { from: L1_ATTRIBUTES_DEPOSITOR, transaction: { type: DEPOSIT, data: hexToBytes(selector) } },
  ] as unknown as readonly RecoveredTransaction[]
}
function bytes(count: number) {
  return new Uint8Array(count)
}

describe('the fork of an OP block', () => {
  test.each<[string, Hex, Partial<ForkMarks['header']>]>([
    ['jovian', '0x3db6be2b', { extraData: bytes(17), requestsHash: HASH }],
    ['jovian', '0x098999be', { extraData: bytes(17), requestsHash: HASH }],
    ['isthmus', '0x098999be', { extraData: bytes(9), requestsHash: HASH }],
    ['isthmus', '0x098999be', { extraData: bytes(9) }],
    ['isthmus', '0x440a5e20', { extraData: bytes(9), requestsHash: HASH }],
    ['holocene', '0x440a5e20', { extraData: bytes(9) }],
    ['granite', '0x440a5e20', { extraData: bytes(0), parentBeaconBlockRoot: HASH }],
    ['canyon', '0x015d8eb9', { extraData: bytes(0), withdrawalsRoot: HASH }],
    ['regolith', '0x015d8eb9', { extraData: bytes(0) }],
  ])('the fork of an OP block is %s with the deposit %s', (fork, selector, header) => {
    expect(detectFork({ header: { extraData: bytes(0), ...header }, transactions: attributes(selector) })).toBe(fork)
  })
})

describe('Karst, which changes neither header nor attributes', () => {
  const header = { extraData: Uint8Array.of(1, ...bytes(16)), requestsHash: HASH }
  const deposit = (sourceHash: Hex) => ({ from: 0n, transaction: { type: DEPOSIT, sourceHash, data: bytes(4) } })
  const upgrade = (intent: string) => deposit(upgradeSourceHash(intent)) as unknown as RecoveredTransaction

  test.each(['Karst 0: ConditionalDeployer Deployment', 'Karst: ConditionalDeployer Deployment'])(
    'Karst, which changes neither header nor attributes is found in its first block by the upgrade deposit "%s"',
    (intent) => {
      const transactions = [...attributes('0x3db6be2b'), upgrade(intent)]
      expect(detectFork({ header, transactions })).toBe('karst')
    },
  )

  test('Karst, which changes neither header nor attributes is not found by the deposits of another upgrade', () => {
    const transactions = [...attributes('0x3db6be2b'), upgrade('Jovian: L1 Block Deployment')]
    expect(detectFork({ header, transactions })).toBe('jovian')
  })
})

test('the source hash of an upgrade deposit is that of the specification', () => {
  // https://specs.optimism.io/protocol/ecotone/derivation.html#l1block-deployment
  expect(upgradeSourceHash('Ecotone: L1 Block Deployment')).toBe(
    '0x877a6077205782ea15a6dc8699fa5ebcec5e0f4389f09cb8eda09488231346f8',
  )
})

describe('marks of a fork that is not known', () => {
  const known = { extraData: bytes(17) }

  test('marks of a fork that is not known are an unknown selector of the L1 attributes', () => {
    expect(unknownMark({ header: known, transactions: attributes('0x760ee04d') })).toContain('0x760ee04d')
    expect(unknownMark({ header: known, transactions: attributes('0x3db6be2b') })).toBeNull()
  })

  test('marks of a fork that is not known are extra data of another length or version', () => {
    for (const extraData of [bytes(25), Uint8Array.of(2, ...bytes(16))]) {
      expect(unknownMark({ header: { extraData }, transactions: attributes('0x3db6be2b') })).toContain('extra data')
    }
  })

  test('marks of a fork that is not known are not looked for in blocks outside of the OP Stack', () => {
    expect(unknownMark({ header: { extraData: bytes(30) }, transactions: [] })).toBeNull()
  })
})

test.each<[string, Partial<ForkMarks['header']>]>([
  ['prague', { requestsHash: HASH, parentBeaconBlockRoot: HASH }],
  ['cancun', { parentBeaconBlockRoot: HASH, withdrawalsRoot: HASH }],
  ['shanghai', { withdrawalsRoot: HASH }],
  ['paris', { difficulty: 0n, baseFeePerGas: 1n }],
  ['london', { difficulty: 1n, baseFeePerGas: 1n }],
  ['berlin', { difficulty: 1n }],
])('the fork of another block is %s', (fork, header) => {
  expect(detectFork({ header: { extraData: bytes(0), ...header }, transactions: [] })).toBe(fork)
})
