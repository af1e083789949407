import { expect, test } from 'vitest'
import type { PendingStatus } from '../rpc/server/status.ts'
import { preconfirmationNotes } from './preconfirmation-notes.ts'

function statusWith(changes: Partial<PendingStatus>): PendingStatus {
  const well = {
    feed: { upstreams: [{ isDistrusted: false }], lost: 0, disputed: null },
    unproven: null,
    reproduction: { isSteppedBack: false, first: null, blocks: 0 },
  } as unknown as PendingStatus
  return { ...well, ...changes }
}

test('pages say nothing about preconfirmations while all is well or no feed is followed', () => {
  expect(preconfirmationNotes(null)).toEqual([])
  expect(preconfirmationNotes(statusWith({}))).toEqual([])
  expect(preconfirmationNotes(statusWith({ feed: null, unproven: { fromHeight: 1, isServed: true } }))).toEqual([])
})

test('pages say that preconfirmations are unproven, held back, or not executed', () => {
  const first = (changes: Partial<PendingStatus>) => preconfirmationNotes(statusWith(changes))[0]
  expect(first({ unproven: { fromHeight: 1, isServed: true } })).toMatch(/not proven/)
  expect(first({ unproven: { fromHeight: 1, isServed: false } })).toMatch(/held back/)
  expect(first({ reproduction: { isSteppedBack: true, first: null, blocks: 3 } })).toMatch(/cannot reproduce/)
})
