import { expect, test } from 'vitest'
import type { Flashblock } from '../../chain/codec/flashblock.ts'
import { groundAt, makePayload, type Payload } from '../../pending/payload-for-tests.ts'
import {
  disputedHeight,
  isBelieved,
  isFollowed,
  losesUpstream,
  NO_STANDING,
  type Standing,
  standingAfterFlashblock,
  standingAfterSealed,
  standingOf,
} from './standing.ts'

const ground = groundAt(100)
const HONEST = 0
const LIAR = 1

function payloadAt(height: number, name: string): Payload {
  return makePayload({ parentHash: ground.hash, height, name, counts: [1, 2, 1] })
}

function receive(standing: Standing, upstream: number, flashblocks: readonly Flashblock[]): Standing {
  return flashblocks.reduce((before, flashblock) => standingAfterFlashblock(before, { flashblock, upstream }), standing)
}

/** Seals the block and two more, after which it is judged. */
function judged(standing: Standing, { sealed }: Payload): Standing {
  const { number: height } = sealed.header
  const transactions = sealed.transactions.map(({ hash }) => hash)
  return [
    { height, hash: sealed.hash, transactions },
    { height: height + 1, hash: ground.hash, transactions: [] },
    { height: height + 2, hash: ground.hash, transactions: [] },
  ].reduce((before, block) => standingAfterSealed(before, block).standing, standing)
}

const truth = payloadAt(101, 'truth')

test('an upstream whose own payload was not sealed is not followed while another one delivers', () => {
  const forged = payloadAt(101, 'forged')
  const before = receive(receive(NO_STANDING, LIAR, forged.flashblocks), HONEST, truth.flashblocks)
  expect(isFollowed(before, LIAR)).toBe(true)
  const after = judged(before, truth)
  expect(standingOf(after, LIAR)).toMatchObject({ disproved: 1, lastHeight: 101 })
  expect(standingOf(after, HONEST).disproved).toBe(0)
  const next = receive(after, HONEST, payloadAt(104, 'next').flashblocks)
  expect([isFollowed(next, LIAR), isFollowed(next, HONEST)]).toEqual([false, true])
})

test('an upstream that cuts a flashblock short is disproved, although all that it sent was sealed', () => {
  const [first, second, third] = truth.flashblocks as [Flashblock, Flashblock, Flashblock]
  const short = { ...second, transactions: second.transactions.slice(0, 1) }
  const before = receive(receive(NO_STANDING, LIAR, [first, short, third]), HONEST, [first, second, third])
  const after = judged(before, truth)
  expect([standingOf(after, LIAR).disproved, standingOf(after, HONEST).disproved]).toEqual([1, 0])
})

test('what all upstreams sent and was not sealed counts against none of them', () => {
  const replaced = payloadAt(101, 'replaced by the sequencer')
  const before = [HONEST, LIAR].reduce(
    (standing, upstream) => receive(receive(standing, upstream, replaced.flashblocks), upstream, truth.flashblocks),
    NO_STANDING,
  )
  expect(judged(before, truth).upstreams.size).toBe(0)
})

test('an upstream that sent less than the others, and nothing else, is not disproved', () => {
  const before = receive(receive(NO_STANDING, LIAR, truth.flashblocks.slice(0, 2)), HONEST, truth.flashblocks)
  expect(judged(before, truth).upstreams.size).toBe(0)
})

test('where nobody sent what was sealed, nobody is disproved', () => {
  const [one, other] = [payloadAt(101, 'one'), payloadAt(101, 'other')]
  const before = receive(receive(NO_STANDING, LIAR, one.flashblocks), HONEST, other.flashblocks)
  expect(judged(before, truth).upstreams.size).toBe(0)
})

test('an upstream that is not believed is followed when the others fall silent, and is believed again after some time', () => {
  const before = receive(receive(NO_STANDING, LIAR, payloadAt(101, 'forged').flashblocks), HONEST, truth.flashblocks)
  const after = judged(before, truth)
  // The last that the other one sent is below the head.
  expect(isFollowed(after, LIAR)).toBe(true)
  const delivering = receive(after, HONEST, payloadAt(104, 'next').flashblocks)
  expect(isFollowed(delivering, LIAR)).toBe(false)
  const { distrustedUntil } = standingOf(after, LIAR)
  const later = standingAfterSealed(delivering, {
    height: distrustedUntil,
    hash: ground.hash,
    transactions: [],
  }).standing
  expect(isFollowed(receive(later, HONEST, payloadAt(distrustedUntil + 1, 'later').flashblocks), LIAR)).toBe(true)
})

function sealedAs({ sealed }: Payload) {
  return { height: sealed.header.number, hash: sealed.hash, transactions: sealed.transactions.map(({ hash }) => hash) }
}

test('an upstream that contradicts a whole sealed block is left out as soon as the block is sealed, not only when it is judged', () => {
  const forged = payloadAt(101, 'forged')
  const before = receive(receive(NO_STANDING, LIAR, forged.flashblocks), HONEST, truth.flashblocks)
  const after = standingAfterSealed(before, sealedAs(truth)).standing
  expect([isFollowed(after, LIAR), isFollowed(after, HONEST)]).toEqual([false, true])
  expect(losesUpstream(before, after)).toBe(true)
  expect(standingOf(after, LIAR).disproved).toBe(0)
})

test('an upstream is suspected when the true one comes late, after the block was sealed', () => {
  const [first, second, third] = truth.flashblocks as [Flashblock, Flashblock, Flashblock]
  const short = { ...second, transactions: second.transactions.slice(0, 1) }
  const before = receive(receive(NO_STANDING, LIAR, [first, short]), HONEST, [first, second])
  const sealed = standingAfterSealed(before, sealedAs(truth)).standing
  expect([isBelieved(sealed, LIAR), isBelieved(sealed, HONEST)]).toEqual([true, true])
  const late = standingAfterFlashblock(sealed, { flashblock: third, upstream: HONEST })
  expect([isBelieved(late, LIAR), isBelieved(late, HONEST)]).toEqual([false, true])
})

test('an upstream that is only slow is not suspected', () => {
  const before = receive(receive(NO_STANDING, LIAR, truth.flashblocks.slice(0, 1)), HONEST, truth.flashblocks)
  expect(isBelieved(standingAfterSealed(before, sealedAs(truth)).standing, LIAR)).toBe(true)
})

test('a block is disputed from the first contradiction until it is sealed', () => {
  const [first, second] = truth.flashblocks as [Flashblock, Flashblock]
  const short = { ...second, transactions: second.transactions.slice(0, 1) }
  const agreeing = receive(receive(NO_STANDING, LIAR, [first]), HONEST, [first, second])
  expect(disputedHeight(agreeing)).toBeNull()
  const disputed = receive(agreeing, LIAR, [short])
  expect(disputedHeight(disputed)).toBe(101)
  expect(disputedHeight(standingAfterSealed(disputed, sealedAs(truth)).standing)).toBeNull()
})
