import { describe, expect, test } from 'vitest'
import { NO_FIGURES } from '../chain/preconfirmations/figures.ts'
import { quantileOf } from '../lib/numbers/histogram.ts'
import { groundAt, makePayload } from '../pending/payload-for-tests.ts'
import { createLedgerWorld, type LedgerWorld, rewritten } from './ledger-for-tests.ts'
import { droppedAt, firstSight, preconfirmedAs } from './transaction-record.ts'

const HOUR_MS = 3_600_000
const ground = groundAt(100)
const first = makePayload({ parentHash: ground.hash, height: 101, name: 'first', counts: [1, 2, 2] })
const second = makePayload({ parentHash: first.sealed.hash, height: 102, name: 'second', counts: [1, 1] })
const hashes = first.sealed.transactions.map(({ hash }) => hash)
const [one, , three, four, five] = hashes as [`0x${string}`, ...`0x${string}`[]]

function onGround(): LedgerWorld {
  const world = createLedgerWorld()
  world.seal(ground, 0)
  return world
}

function stageOf({ ledger, mirror }: LedgerWorld, hash: `0x${string}`) {
  expect(mirror.stagesOf(hash)).toEqual(ledger.stagesOf(hash))
  return ledger.stagesOf(hash)
}

describe('a transaction', () => {
  test('a transaction walks from seen to finalized, each stage with its time', () => {
    const world = onGround()
    const { ledger } = world
    ledger.take({ type: 'tags', safe: 90, finalized: 80, atMs: 500 })
    ledger.take({ type: 'seen', hash: three!, raw: '0x', atMs: 1_000 })
    expect(stageOf(world, three!)).toMatchObject({ stage: 'seen', record: { seenMs: 1_000, seenBy: 'rpc' } })
    world.receive(first.flashblocks.slice(0, 1), 1_050)
    expect(stageOf(world, three!)?.stage).toBe('seen')
    world.receive(first.flashblocks.slice(1), 1_200)
    const preconfirmation = { height: 101, flashblockIndex: 1, position: 2, atMs: 1_200 }
    expect(stageOf(world, three!)).toMatchObject({ stage: 'preconfirmed', record: { preconfirmation, verdict: null } })
    world.seal(first.sealed, 2_000)
    const inclusion = { height: 101, blockHash: first.sealed.hash, position: 2, atMs: 2_000 }
    expect(stageOf(world, three!)).toMatchObject({
      stage: 'included',
      record: { inclusion, verdict: 'kept', past: [] },
    })
    ledger.take({ type: 'tags', safe: 101, finalized: 90, atMs: 3_000 })
    expect(stageOf(world, three!)).toMatchObject({ stage: 'safe', safeMs: 3_000, finalizedMs: null })
    ledger.take({ type: 'tags', safe: 103, finalized: 101, atMs: 4_000 })
    expect(stageOf(world, three!)).toMatchObject({ stage: 'finalized', safeMs: 3_000, finalizedMs: 4_000 })
    const figures = world.mirror.figures(HOUR_MS, 5_000)
    expect(quantileOf(figures.seenToPreconfirmed, 0.5)).toBeCloseTo(200, -1)
    expect(quantileOf(figures.seenToIncluded, 0.5)).toBeGreaterThanOrEqual(1_000)
  })

  test('a transaction that the block leaves out is dropped, and has its history when it is included later', () => {
    const world = onGround()
    world.receive(first.flashblocks, 1_000)
    const without = rewritten(first.sealed, [0, 1, 2, 3])
    world.seal(without, 2_000)
    expect(stageOf(world, five!)).toMatchObject({ stage: 'dropped', record: { droppedMs: 2_000, verdict: 'dropped' } })
    expect(world.mirror.block(101)).toMatchObject({
      differences: [{ type: 'dropped', transaction: five, from: 4, to: null }],
      figures: { brokenBlocks: 1, kept: 4, dropped: 1 },
    })
    const next = makePayload({ parentHash: without.hash, height: 102, name: 'next', counts: [1] })
    world.receive(next.flashblocks, 2_100)
    world.seal(rewritten(next.sealed, [0], [five!]), 3_000)
    expect(stageOf(world, five!)).toMatchObject({
      stage: 'included',
      record: {
        verdict: 'dropped',
        droppedMs: null,
        preconfirmation: { height: 101 },
        inclusion: { height: 102 },
        past: [{ stage: 'dropped', atMs: 2_000, height: 101 }],
      },
    })
    expect(world.mirror.figures(HOUR_MS, 3_000)).toMatchObject({ kept: 5, dropped: 1, unannounced: 1, brokenBlocks: 1 })
  })

  test('a transaction that is preconfirmed again after it was dropped has its old preconfirmation in the past', () => {
    const preconfirmation = { height: 101, flashblockIndex: 1, position: 2, atMs: 20 }
    const seen = firstSight({ hash: one!, seenMs: 10, seenBy: 'rpc' })
    const dropped = droppedAt(preconfirmedAs(seen, preconfirmation), 30)
    const again = preconfirmedAs(dropped, { ...preconfirmation, height: 102, atMs: 40 })
    expect(again).toMatchObject({
      droppedMs: null,
      verdict: null,
      preconfirmation: { height: 102 },
      past: [
        { stage: 'preconfirmed', atMs: 20, height: 101, index: 1 },
        { stage: 'dropped', atMs: 30, height: 101, index: null },
      ],
    })
    expect(preconfirmedAs(again, { ...preconfirmation, height: 102, atMs: 50 })).toBe(again)
  })

  test('a transaction that comes elsewhere or with another outcome is changed, and says how', () => {
    const world = onGround()
    world.receive(first.flashblocks, 1_000)
    world.seal(rewritten(first.sealed, [0, 1, 2, 4, 3]), 2_000)
    expect(stageOf(world, four!)).toMatchObject({
      stage: 'included',
      record: { verdict: 'changed', changes: ['moved'] },
    })
    expect(world.mirror.figures(HOUR_MS, 2_000)).toMatchObject({ kept: 3, changed: 2, dropped: 0, brokenBlocks: 1 })
  })

  test('a transaction that no flashblock announced is unannounced', () => {
    const world = onGround()
    world.receive(first.flashblocks.slice(0, 2), 1_000)
    world.seal(first.sealed, 2_000)
    expect(stageOf(world, five!)).toMatchObject({
      stage: 'included',
      record: { seenBy: 'block', verdict: 'unannounced' },
    })
    expect(world.mirror.figures(HOUR_MS, 2_000)).toMatchObject({ kept: 3, unannounced: 2, brokenBlocks: 0 })
  })

  test('a transaction loses its block in a reorg and gets it back with the new one', () => {
    const world = onGround()
    world.receive(first.flashblocks, 1_000)
    world.seal(first.sealed, 2_000)
    world.receive(second.flashblocks, 2_100)
    world.seal(second.sealed, 3_000)
    const other = rewritten(first.sealed, [0, 1, 2, 3])
    world.seal(other, 4_000)
    const late = second.sealed.transactions[0]!.hash
    expect([one!, five!, late].map((hash) => stageOf(world, hash)?.stage)).toEqual(['included', 'dropped', 'dropped'])
    expect(stageOf(world, one!)?.record).toMatchObject({
      verdict: 'kept',
      inclusion: { blockHash: other.hash },
      past: [
        { stage: 'included', atMs: 2_000 },
        { stage: 'dropped', atMs: 4_000 },
      ],
    })
    world.seal(first.sealed, 5_000)
    world.seal(second.sealed, 5_001)
    expect([one!, five!, late].map((hash) => stageOf(world, hash)?.stage)).toEqual(['included', 'included', 'included'])
    expect(world.mirror.figures(HOUR_MS, 6_000)).toMatchObject({ blocks: 2, brokenBlocks: 0, kept: 7, dropped: 0 })
  })

  test('a transaction of a payload that another one replaced is dropped when the block comes without it', () => {
    const world = onGround()
    world.receive(first.flashblocks, 1_000)
    const instead = makePayload({ parentHash: ground.hash, height: 101, name: 'instead', counts: [2] })
    world.receive(instead.flashblocks, 1_500)
    expect(stageOf(world, five!)?.stage).toBe('preconfirmed')
    world.seal(instead.sealed, 2_000)
    expect(stageOf(world, five!)?.stage).toBe('dropped')
    expect(world.mirror.block(101)?.figures).toMatchObject({ kept: 2, dropped: 5, brokenBlocks: 1 })
  })
})

test('the ledger counts flashblocks that never came, and the longest silence', () => {
  const world = onGround()
  world.receive([first.flashblocks[0]!], 1_000)
  world.receive([first.flashblocks[2]!], 1_700)
  world.seal(first.sealed, 2_000)
  expect(world.mirror.block(101)?.figures).toMatchObject({ flashblocks: 2, missingFlashblocks: 1, silenceMs: 700 })
  world.seal(second.sealed, 9_000)
  expect(world.mirror.block(102)?.figures).toMatchObject({ flashblocks: 0, unannounced: 2, silenceMs: 7_300 })
})

test('the ledger counts nothing from before the first flashblock', () => {
  const world = onGround()
  world.seal(first.sealed, 1_000)
  expect(world.events).toEqual([])
  expect(world.mirror.figures(HOUR_MS, 2_000)).toEqual(NO_FIGURES)
})

test('the ledger reports each flashblock once, and numbers the payloads of a height', () => {
  const world = onGround()
  const instead = makePayload({ parentHash: ground.hash, height: 101, name: 'instead', counts: [1] })
  world.receive([...first.flashblocks, ...first.flashblocks, ...instead.flashblocks], 1_000)
  const records = world.events.flatMap((event) => (event.type === 'flashblock' ? event.record : []))
  expect(records.map(({ attempt, index, transactionCount }) => [attempt, index, transactionCount])).toEqual([
    [0, 0, 1],
    [0, 1, 2],
    [0, 2, 2],
    [1, 0, 1],
  ])
})

test('the ledger lists the preconfirmed transactions of an address until the index has them', () => {
  const world = onGround()
  world.receive(first.flashblocks, 1_000)
  const sender = `0x${'f0'.padStart(40, '0')}` as const
  expect(world.mirror.pendingOf(sender, 100).map(({ hash }) => hash)).toEqual(hashes.toReversed())
  world.seal(rewritten(first.sealed, [0, 1, 2, 3]), 2_000)
  expect(world.mirror.pendingOf(sender, 100).map(({ hash }) => hash)).toEqual(hashes.slice(0, 4).toReversed())
  expect(world.mirror.pendingOf(sender, 101)).toEqual([])
  expect(world.mirror.pendingOf(`0x${'11'.repeat(20)}`, 100)).toEqual([])
})
