import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Flashblock } from '../../chain/codec/flashblock.ts'
import { groundAt, makePayload } from '../../pending/payload-for-tests.ts'
import { EMPTY_RESEQUENCER, type Received, type Resequencer, type ResequencerItem, resequence } from './resequencer.ts'

const ground = groundAt(100)
const five = makePayload({ parentHash: ground.hash, height: 101, name: 'five', counts: [1, 2, 0, 1, 2] }).flashblocks
const rival = makePayload({ parentHash: ground.hash, height: 101, name: 'rival', counts: [1, 1] }).flashblocks
const above = makePayload({ parentHash: ground.hash, height: 102, name: 'above', counts: [1, 1, 1] }).flashblocks
const far = makePayload({ parentHash: ground.hash, height: 104, name: 'far', counts: [1] }).flashblocks

type Item = ResequencerItem<Received>

function itemsAfter(flashblocks: readonly Flashblock[], start: Resequencer<Received> = EMPTY_RESEQUENCER): Item[] {
  const items: Item[] = []
  let state = start
  for (const [receivedMs, flashblock] of flashblocks.entries()) {
    const step = resequence(state, { type: 'flashblock', received: { flashblock, receivedMs } })
    state = step.state
    items.push(...step.items)
  }
  return items
}

function at(flashblocks: readonly Flashblock[], ...indexes: readonly number[]): readonly Flashblock[] {
  return indexes.map((index) => flashblocks[index]!)
}

/** A copy that says something else and still carries the announced block hash. */
function forged(flashblock: Flashblock): Flashblock {
  return { ...flashblock, totals: { ...flashblock.totals, gasUsed: flashblock.totals.gasUsed + 1n } }
}

function positionOf({ height, index }: { readonly height: number; readonly index: number }): string {
  return `${height}.${index}`
}

/** `101.0` for a flashblock, `101.0>101.2` for a gap. */
function relayed(items: readonly Item[]): string[] {
  return items.flatMap((item) => {
    if (item.type === 'released') return [positionOf(item.received.flashblock)]
    return item.type === 'gap' ? [`${positionOf(item.after)}>${positionOf(item.next)}`] : []
  })
}

function verified(items: readonly Item[]): Flashblock[] {
  return items.flatMap((item) => (item.type === 'payload' ? item.verified.map(({ flashblock }) => flashblock) : []))
}

describe('the resequencer', () => {
  test('the resequencer passes on at once what comes in order', () => {
    const items = itemsAfter(five)
    expect(relayed(items)).toEqual(['101.0', '101.1', '101.2', '101.3', '101.4'])
    expect(verified(items)).toEqual(five)
    expect(items.every((item) => item.type !== 'received' || (item.isFirst && item.isInOrder))).toBe(true)
  })

  test('the resequencer holds back what is behind a missing index, and reports the gap to the pending chain', () => {
    const items = itemsAfter(at(five, 0, 2, 3))
    expect(relayed(items)).toEqual(['101.0'])
    expect(items.findLast((item) => item.type === 'payload')).toMatchObject({ verified: [], hasGap: true })
  })

  test('the resequencer passes on everything in one step when the missing index comes', () => {
    const items = itemsAfter(at(five, 0, 2, 3, 1))
    expect(relayed(items)).toEqual(['101.0', '101.1', '101.2', '101.3'])
    const last = items.findLast((item) => item.type === 'payload')!
    expect(last.verified.map(({ flashblock }) => flashblock.index)).toEqual([1, 2, 3])
    expect(last).toMatchObject({ hasGap: false, receivedMs: 3 })
  })

  test('the resequencer counts what does not continue the flashblock before it as out of order', () => {
    const inOrder = itemsAfter([...at(five, 0, 2, 1), ...at(above, 0)]).flatMap((item) =>
      item.type === 'received' ? item.isInOrder : [],
    )
    expect(inOrder).toEqual([true, false, false, true])
  })

  test('the resequencer releases to the relay what waits, behind a gap, when another payload begins', () => {
    const items = itemsAfter([...at(five, 0, 2, 4), ...at(above, 0)])
    expect(relayed(items)).toEqual(['101.0', '101.0>101.2', '101.2', '101.2>101.4', '101.4', '102.0'])
    expect(verified(items)).toEqual([five[0], above[0]])
  })

  test('the resequencer lets a late index complete the payload for the pending chain, without sending the relay back', () => {
    const items = itemsAfter([...at(five, 0, 2), ...at(above, 0), ...at(five, 1)])
    expect(relayed(items)).toEqual(['101.0', '101.0>101.2', '101.2', '102.0'])
    expect(verified(items)).toEqual([five[0], above[0], five[1], five[2]])
  })

  test('the resequencer releases the rest of a payload that it joined in the middle when the next one begins', () => {
    expect(relayed(itemsAfter([...at(five, 3, 4), ...at(above, 0)]))).toEqual(['101.3', '101.4', '102.0'])
  })

  test('the resequencer reports no gap before the next block, another payload of the same height, or an earlier one', () => {
    expect(relayed(itemsAfter([...at(above, 0), ...at(five, 0), ...at(rival, 0)]))).toEqual(['102.0', '101.0', '101.0'])
  })

  test('the resequencer reports a gap where a whole block is missing', () => {
    expect(relayed(itemsAfter([...at(five, 0), ...far]))).toEqual(['101.0', '101.0>104.0', '104.0'])
  })

  test('the resequencer chooses among contradicting candidates the one whose header gives the block hash', () => {
    const lie = forged(five[1]!)
    expect(verified(itemsAfter([five[0]!, lie, five[1]!]))).toEqual(at(five, 0, 1))
    expect(verified(itemsAfter([five[0]!, five[2]!, lie, five[1]!]))).toEqual(at(five, 0, 1, 2))
  })

  test('the resequencer accepts a header that it cannot recompute only until it has recomputed one', () => {
    const strange = { ...rival[0]!, totals: { ...rival[0]!.totals, blockHash: ground.hash } }
    expect(verified(itemsAfter([strange]))).toEqual([strange])
    expect(verified(itemsAfter([five[0]!, strange]))).toEqual([five[0]])
  })

  test('the resequencer takes the true flashblock of an index that one upstream fills with forgeries', () => {
    const lies = [1n, 2n, 3n, 4n, 5n, 6n].map((more) => ({
      ...five[2]!,
      totals: { ...five[2]!.totals, gasUsed: five[2]!.totals.gasUsed + more },
    }))
    const receivedFrom = (upstream: number) => (flashblock: Flashblock) => ({ flashblock, receivedMs: 0, upstream })
    const received = [
      ...[five[0]!, ...lies].map(receivedFrom(1)),
      ...[five[2]!, five[1]!, five[3]!].map(receivedFrom(0)),
    ]
    const items: Item[] = []
    let state: Resequencer<Received> = EMPTY_RESEQUENCER
    for (const each of received) {
      const step = resequence(state, { type: 'flashblock', received: each })
      state = step.state
      items.push(...step.items)
    }
    expect(verified(items)).toEqual(at(five, 0, 1, 2, 3))
    expect(items.filter(({ type }) => type === 'dropped')).toHaveLength(2)
  })

  test('a flashblock with the id of a payload and another height does not stop the resequencer', () => {
    const lie = { ...five[0]!, height: 107, base: { ...five[0]!.base!, number: 107 } }
    expect(verified(itemsAfter([...far, lie, ...five]))).toEqual([...far, ...five])
  })

  test('the resequencer counts what it cannot prove, refused or taken', () => {
    const lie = forged(five[1]!)
    const unproven = (items: readonly Item[]) => items.flatMap((item) => (item.type === 'unproven' ? item.isTaken : []))
    expect(unproven(itemsAfter([five[0]!, lie, five[1]!]))).toEqual([false])
    expect(unproven(itemsAfter([forged(rival[0]!)]))).toEqual([true])
  })

  test('the resequencer accepts such a header again when none was recomputed for some canonical blocks', () => {
    const proven = resequence<Received>(EMPTY_RESEQUENCER, {
      type: 'flashblock',
      received: { flashblock: five[0]!, receivedMs: 0 },
    })
    const { state } = resequence(proven.state, { type: 'canonical', height: 104 })
    const later = makePayload({ parentHash: ground.hash, height: 105, name: 'later', counts: [1] }).flashblocks[0]!
    const strange = { ...later, totals: { ...later.totals, blockHash: ground.hash } }
    expect(verified(itemsAfter([strange], state))).toEqual([strange])
  })

  test('the resequencer goes on for the relay while the node is far behind the feed', () => {
    const { state } = resequence<Received>(EMPTY_RESEQUENCER, { type: 'canonical', height: 1 })
    expect(relayed(itemsAfter(five, state))).toEqual(['101.0', '101.1', '101.2', '101.3', '101.4'])
  })

  test('the resequencer does not change the state that it was given', () => {
    const start = resequence<Received>(EMPTY_RESEQUENCER, {
      type: 'flashblock',
      received: { flashblock: five[0]!, receivedMs: 0 },
    }).state
    const once = itemsAfter(at(five, 2, 1), start)
    expect(itemsAfter(at(five, 2, 1), start)).toEqual(once)
  })
})

test('whatever is shuffled, repeated, lost or contradicted, each flashblock leaves once and in order, with a gap where one is missing', () => {
  const truth = [...five, ...above, ...rival]
  const story = fc.array(fc.record({ which: fc.nat(truth.length - 1), isForged: fc.boolean() }), { maxLength: 40 })
  fc.assert(
    fc.property(story, (steps) => {
      // A header was recomputed before, so a forged flashblock never passes for a good one.
      const start = resequence<Received>(EMPTY_RESEQUENCER, {
        type: 'flashblock',
        received: { flashblock: far[0]!, receivedMs: 0 },
      }).state
      const received = steps.map(({ which, isForged }) => (isForged ? forged(truth[which]!) : truth[which]!))
      const items = itemsAfter(received, start)
      expectVerifiedInOrder(verified(items), received)
      expectRelayedInOrder(items)
    }),
    { numRuns: 1_000 },
  )
})

/** For every payload exactly the longest prefix of good flashblocks that were received. */
function expectVerifiedInOrder(found: readonly Flashblock[], received: readonly Flashblock[]): void {
  for (const payload of [five, above, rival]) {
    const missing = payload.findIndex((flashblock) => !received.includes(flashblock))
    const prefix = missing === -1 ? payload : payload.slice(0, missing)
    expect(found.filter(({ payloadId }) => payloadId === payload[0]!.payloadId)).toEqual(prefix)
  }
}

function expectRelayedInOrder(items: readonly Item[]): void {
  const indexes = new Map<string, number>()
  let last: Flashblock | undefined
  for (const [number, item] of items.entries()) {
    if (item.type !== 'released') continue
    const { flashblock } = item.received
    const { payloadId, index, height } = flashblock
    expect(index).toBeGreaterThan(indexes.get(payloadId) ?? -1)
    indexes.set(payloadId, index)
    if (last !== undefined) {
      const isNext = payloadId === last.payloadId && index === last.index + 1
      const isBeginning = index === 0 && height <= last.height + 1
      expect(items[number - 1]!.type === 'gap').toBe(!isNext && !isBeginning)
    }
    last = flashblock
  }
}
