import { expect, test } from 'vitest'
import type { Hex } from '../chain/bytes/hex.ts'
import type { BlockRecord } from '../chain/preconfirmations/record.ts'
import type { LedgerEvent } from './ledger.ts'
import { firstSight } from './transaction-record.ts'
import { createUnsaved } from './unsaved.ts'

function hashOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`
}
function seen(number: number, seenMs = number): LedgerEvent {
  return {
    type: 'transaction',
    record: firstSight({ hash: hashOf(number), seenMs, seenBy: 'feed' }),
  }
}
function sealed(height: number): LedgerEvent {
  return { type: 'block', record: { height } as BlockRecord }
}
const limits = { transactions: 3, flashblocks: 2, others: 2 }

test('the list of unsaved records gives what waits once, each transaction as it is now', () => {
  const unsaved = createUnsaved(limits)
  unsaved.take([seen(1), seen(2), seen(1, 9), sealed(7)])
  expect(unsaved.size).toBe(3)
  const batch = unsaved.batch()!
  expect(batch.transactions.map(({ hash, seenMs }) => [hash, seenMs])).toEqual([
    [hashOf(2), 2],
    [hashOf(1), 9],
  ])
  expect(batch.blocks).toEqual([{ height: 7 }])
  expect(unsaved.batch()).toBeNull()
})

test('what could not be saved waits again, before what came meanwhile and without undoing it', () => {
  const unsaved = createUnsaved(limits)
  unsaved.take([seen(1), seen(2), sealed(7)])
  const batch = unsaved.batch()!
  unsaved.take([seen(2, 9), seen(3), sealed(8)])
  unsaved.putBack(batch)
  const again = unsaved.batch()!
  expect(again.transactions.map(({ hash, seenMs }) => [hash, seenMs])).toEqual([
    [hashOf(1), 1],
    [hashOf(2), 9],
    [hashOf(3), 3],
  ])
  expect(again.blocks.map(({ height }) => height)).toEqual([7, 8])
  expect(unsaved.lost).toBe(0)
})

test('beyond its bound the oldest gives way and is counted', () => {
  const unsaved = createUnsaved(limits)
  unsaved.take([1, 2, 3, 4, 5].flatMap((number) => [seen(number), sealed(number)]))
  const batch = unsaved.batch()!
  expect(batch.transactions.map(({ hash }) => hash)).toEqual([3, 4, 5].map(hashOf))
  expect(batch.blocks.map(({ height }) => height)).toEqual([4, 5])
  expect(unsaved.lost).toBe(5)
})
