import { expect, test } from 'vitest'
import type { Hex } from '../chain/bytes/hex.ts'
import { createTagTimes } from './tag-times.ts'
import { firstSight } from './transaction-record.ts'
import { createTransactionRecords } from './transaction-records.ts'

function record(number: number) {
  return firstSight({ hash: `0x${number.toString(16).padStart(64, '0')}` as Hex, seenMs: number, seenBy: 'feed' })
}

test('the records that did not change for the longest time are forgotten first', () => {
  const records = createTransactionRecords(3)
  const [one, two, three, four] = [1, 2, 3, 4].map(record) as [
    ReturnType<typeof record>,
    ...ReturnType<typeof record>[],
  ]
  for (const each of [one, two!, three!]) expect(records.set(each)).toBe(true)
  expect(records.set(one)).toBe(false)
  const changed = { ...one, droppedMs: 9 }
  expect(records.set(changed)).toBe(true)
  records.set(four!)
  expect([one, two!, three!, four!].map(({ hash }) => records.get(hash))).toEqual([changed, undefined, three, four])
  expect(records.size).toBe(3)
})

test('a tag passes the heights of its last jump then, and those before it earlier or nobody knows when', () => {
  const times = createTagTimes()
  times.take({ tag: 'safe', above: 10, upTo: 10, atMs: 100 })
  times.take({ tag: 'safe', above: 10, upTo: 14, atMs: 200 })
  times.take({ tag: 'safe', above: 14, upTo: 15, atMs: 300 })
  expect([10, 11, 14, 15, 16].map((height) => times.passedMs('safe', height))).toEqual([null, 200, 200, 300, null])
  expect(times.heights()).toEqual({ safe: 15, finalized: null })
})
