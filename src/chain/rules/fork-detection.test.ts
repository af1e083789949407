import { describe, expect, test } from 'vitest'
import { type Hex, hexToBytes } from '../bytes/hex.ts'
import type { RecoveredTransaction } from '../codec/recovered-transaction.ts'
import { DEPOSIT } from '../codec/transaction.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from './addresses.ts'
import { detectFork, type ForkMarks } from './fork-detection.ts'

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
  ])('is %s with the deposit %s', (fork, selector, header) => {
    expect(detectFork({ header: { extraData: bytes(0), ...header }, transactions: attributes(selector) })).toBe(fork)
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
