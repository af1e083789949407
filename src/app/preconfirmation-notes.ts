// What readers of pages should know about preconfirmations now, in plain words.
import type { PendingStatus } from '../rpc/server/status.ts'

export function preconfirmationNotes(status: PendingStatus | null | undefined): string[] {
  if (!status?.feed) return []
  const { unproven, reproduction, feed } = status
  const distrusted = feed.upstreams.filter(({ isDistrusted }) => isDistrusted).length
  return [
    ...(unproven?.isServed === true ? [UNPROVEN] : []),
    ...(unproven?.isServed === false ? [REFUSED] : []),
    ...(reproduction.isSteppedBack ? [STEPPED_BACK] : []),
    ...(distrusted > 0 ? [LYING] : []),
    ...(feed.disputed === null ? [] : [DISPUTED]),
  ]
}

const UNPROVEN =
  'Preconfirmations are not proven at the moment: the hashes that the feed announces cannot be recomputed here. Wait for the block if it matters.'
const REFUSED =
  'Preconfirmations are held back at the moment: the hashes that the feed announces cannot be recomputed here.'
const STEPPED_BACK =
  'This server cannot reproduce the blocks of this chain at the moment, so it does not execute preconfirmed transactions: balances and calls are those of the last block.'
const LYING =
  'One source of preconfirmations announced transactions that were not sealed so. It is not believed any more.'
const DISPUTED =
  'The sources of preconfirmations contradict each other at the moment. What came first is shown. Wait for the block if it matters.'
