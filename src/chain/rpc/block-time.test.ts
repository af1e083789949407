import { expect, test } from 'vitest'
import { bigintToBytes } from '../bytes/hex.ts'
import { DEPOSIT, type DepositTransaction } from '../codec/transaction.ts'
import { BASE_TIME, blockTimeMs, headTimeMs } from './block-time.ts'

const SECOND = { timestamp: '0x64' }

function depositTo(to: bigint, word: bigint): { transaction: DepositTransaction } {
  return {
    transaction: {
      type: DEPOSIT,
      sourceHash: '0x00',
      from: 1n,
      to,
      mint: 0n,
      value: 0n,
      gasLimit: 0n,
      isSystemTx: false,
      data: new Uint8Array([1, 2, 3, 4, ...bigintToBytes(word, 32)]),
    },
  }
}

test('a block of a chain without milliseconds has the time of its header', () => {
  expect(blockTimeMs(SECOND, [])).toBe(100_000)
  expect(headTimeMs(SECOND)).toBeUndefined()
})

test('the field timestampMs gives the milliseconds, as a quantity or as a number', () => {
  expect(blockTimeMs({ ...SECOND, timestampMs: '0x18768' }, [])).toBe(100_200)
  expect(blockTimeMs({ ...SECOND, timestampMs: 100_999 }, [])).toBe(100_999)
})

test('milliseconds outside the second of the header are not believed', () => {
  for (const timestampMs of [99_999, 101_000, '0x0', 'soon', null, {}])
    expect(blockTimeMs({ ...SECOND, timestampMs }, [])).toBe(100_000)
})

test('the second deposit of a block gives the milliseconds where it goes to BaseTime', () => {
  const first = depositTo(1n, 0n)
  expect(blockTimeMs(SECOND, [first, depositTo(BASE_TIME, 400n)])).toBe(100_400)
  expect(blockTimeMs(SECOND, [first, depositTo(BASE_TIME, 100_600n)])).toBe(100_600)
  expect(blockTimeMs(SECOND, [first, depositTo(BASE_TIME, 5_000n)])).toBe(100_000)
  expect(blockTimeMs(SECOND, [first, depositTo(2n, 400n)])).toBe(100_000)
  expect(blockTimeMs(SECOND, [depositTo(BASE_TIME, 400n)])).toBe(100_000)
})
