import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/support/databases.ts'
import type { Hex } from '../../chain/bytes/hex.ts'
import { NO_FIGURES, type PreconfirmationFigures, sumOfFigures } from '../../chain/preconfirmations/figures.ts'
import type { BlockRecord, FlashblockRecord, TransactionRecord } from '../../chain/preconfirmations/record.ts'
import { histogramOf } from '../../lib/numbers/histogram.ts'
import type { Database } from '../engine/database.ts'
import { preconfirmationWindows, preconfirmedBlock, preconfirmedTransaction } from './read.ts'
import { countFlashblocks, flashblockList, flashblockMessage, flashblocksOfHeight } from './read-flashblocks.ts'
import { deletePreconfirmations, type LedgerBatch, prunePreconfirmations, writePreconfirmations } from './write.ts'

const NOW_MS = 1_790_000_000_000
const HOUR_MS = 3_600_000
const EMPTY: LedgerBatch = { transactions: [], flashblocks: [], blocks: [], tags: [] }
function hashOf(number: number, name = 'a'): Hex {
  return `0x${number.toString(16).padStart(64, name)}`
}

function transaction(number: number, change: Partial<TransactionRecord> = {}): TransactionRecord {
  return {
    hash: hashOf(number),
    seenMs: NOW_MS,
    seenBy: 'rpc',
    preconfirmation: { height: 7, flashblockIndex: 2, position: 3, atMs: NOW_MS + 100 },
    inclusion: { height: 7, blockHash: hashOf(7, 'b'), position: 4, atMs: NOW_MS + 900 },
    droppedMs: null,
    verdict: 'changed',
    changes: ['moved', 'logs'],
    past: [{ stage: 'dropped', atMs: NOW_MS + 50, height: 6, index: null }],
    ...change,
  }
}

function figures(change: Partial<PreconfirmationFigures> = {}): PreconfirmationFigures {
  return {
    ...NO_FIGURES,
    blocks: 1,
    kept: 5,
    flashblocks: 5,
    silenceMs: 210,
    preconfirmedToIncluded: histogramOf([100, 500, 900]),
    ...change,
  }
}

function block(height: number, change: Partial<BlockRecord> = {}): BlockRecord {
  return {
    height,
    hash: hashOf(height, 'b'),
    includedMs: NOW_MS,
    payloadId: '0x0312345678901234',
    preconfirmedHash: hashOf(height, 'c'),
    transactionCount: 5,
    differences: [],
    figures: figures(),
    ...change,
  }
}

function flashblock(height: number, index: number, change: Partial<FlashblockRecord> = {}) {
  return {
    record: {
      height,
      index,
      attempt: 0,
      payloadId: '0x0312345678901234' as Hex,
      hash: hashOf(index, 'd'),
      gasUsed: 21_000,
      transactionCount: 1,
      receivedMs: NOW_MS,
      ...change,
    },
    message: Uint8Array.of(height, index),
  }
}

describe.each(databases)('on $engine', ({ open }) => {
  let database: Database
  const write = (batch: Partial<LedgerBatch>) => writePreconfirmations(database, { ...EMPTY, ...batch })
  /** The last hour, day and month. */
  const windowsOf = async (nowMs = NOW_MS) =>
    (await preconfirmationWindows(database, nowMs)).map(({ figures }) => figures)
  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => database.close())

  test('what is written is read back as it was', async () => {
    const bare = transaction(2, {
      seenBy: 'block',
      preconfirmation: null,
      inclusion: null,
      verdict: null,
      changes: [],
      past: [],
    })
    const broken = block(8, { differences: [{ type: 'dropped', transaction: hashOf(1), from: 3, to: null }] })
    const unannounced = block(9, { payloadId: null, preconfirmedHash: null })
    await write({ transactions: [transaction(1), bare], blocks: [broken, unannounced] })
    expect(await preconfirmedTransaction(database, hashOf(1))).toEqual(transaction(1))
    expect(await preconfirmedTransaction(database, hashOf(2))).toEqual(bare)
    expect(await preconfirmedTransaction(database, hashOf(3))).toBeUndefined()
    expect(await preconfirmedBlock(database, 8)).toMatchObject(broken)
    expect(await preconfirmedBlock(database, 9)).toMatchObject(unannounced)
  })

  test('flashblocks are listed newest first, page by page, each with its message', async () => {
    const all = [flashblock(7, 0), flashblock(7, 1), flashblock(7, 0, { attempt: 1 }), flashblock(8, 0)]
    await write({ flashblocks: all })
    const newest = all.map(({ record }) => record).toReversed()
    expect(await flashblockList(database, { limit: 10 })).toMatchObject(newest)
    const [, second] = await flashblockList(database, { limit: 2 })
    expect(await flashblockList(database, { limit: 10, beyond: second!.pos })).toMatchObject(newest.slice(2))
    expect(await countFlashblocks(database, 3)).toBe(3)
    const ofSeven = await flashblocksOfHeight(database, 7)
    expect(ofSeven.map(({ attempt, index }) => [attempt, index])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ])
    expect([...(await flashblockMessage(database, ofSeven[1]!.pos))!]).toEqual([7, 1])
  })

  test('writing the same again counts it once', async () => {
    const batch = { transactions: [transaction(1)], blocks: [block(7), block(8)], flashblocks: [flashblock(7, 0)] }
    await write(batch)
    await write(batch)
    const twice = sumOfFigures([figures(), figures()])
    expect(await windowsOf()).toEqual([twice, twice, twice])
    expect(await countFlashblocks(database, 10)).toBe(1)
  })

  test('only one of two writers that saw the same block counts', async () => {
    await Promise.all([1, 2, 3].map(() => write({ blocks: [block(7), block(8)] })))
    expect((await windowsOf())[0]).toEqual(sumOfFigures([figures(), figures()]))
  })

  test('a block that another one replaces is taken out of the figures again', async () => {
    await write({ blocks: [block(7), block(8)] })
    const instead = block(8, {
      hash: hashOf(8, 'e'),
      includedMs: NOW_MS + 2 * HOUR_MS,
      figures: figures({ kept: 1, dropped: 4, preconfirmedToIncluded: histogramOf([7]) }),
    })
    await write({ blocks: [block(8, { hash: hashOf(8, 'f') }), instead] })
    const sum = sumOfFigures([figures(), instead.figures])
    expect(await windowsOf()).toEqual([sum, sum, sum])
    const [hour, day] = await windowsOf(instead.includedMs)
    expect([hour, day]).toEqual([instead.figures, sum])
    expect((await preconfirmedBlock(database, 8))?.hash).toBe(instead.hash)
  })

  test('a preconfirmation that was stored before a restart is not deleted by the block that comes after it', async () => {
    const { inclusion: _, ...preconfirmed } = transaction(1)
    await write({ transactions: [{ ...preconfirmed, inclusion: null, verdict: null, changes: [], past: [] }] })
    const inclusion = transaction(1).inclusion
    await write({
      transactions: [
        {
          ...preconfirmed,
          seenMs: NOW_MS + 900,
          seenBy: 'block',
          preconfirmation: null,
          inclusion,
          verdict: 'unannounced',
        },
      ],
    })
    expect(await preconfirmedTransaction(database, hashOf(1))).toMatchObject({
      seenMs: NOW_MS,
      seenBy: 'rpc',
      preconfirmation: preconfirmed.preconfirmation,
      inclusion,
      verdict: null,
    })
  })

  test('tags stamp the blocks that they pass, once', async () => {
    await write({ blocks: [block(7), block(8), block(9)] })
    await write({ tags: [{ tag: 'safe', above: 7, upTo: 8, atMs: 50 }] })
    await write({
      tags: [
        { tag: 'safe', above: 7, upTo: 9, atMs: 60 },
        { tag: 'finalized', above: 6, upTo: 7, atMs: 70 },
      ],
    })
    const times = await Promise.all([7, 8, 9].map((height) => preconfirmedBlock(database, height)))
    expect(times.map((row) => [row?.safeMs, row?.finalizedMs])).toEqual([
      [null, 70],
      [50, null],
      [60, null],
    ])
  })

  test('what is old goes, but for changed and dropped preconfirmations and the hours of a month', async () => {
    const dayMs = 24 * HOUR_MS
    const broken = { differences: [{ type: 'gas', transaction: hashOf(1), from: 1, to: 2 }] } as const
    await write({
      transactions: [transaction(1), transaction(2, { droppedMs: NOW_MS + dayMs })],
      flashblocks: [flashblock(7, 0), flashblock(9, 0, { receivedMs: NOW_MS + dayMs })],
      blocks: [block(7), block(8, broken), block(9, { includedMs: NOW_MS + dayMs })],
    })
    const nowMs = NOW_MS + dayMs + 2 * HOUR_MS
    expect(await prunePreconfirmations(database, { retentionMs: dayMs, nowMs })).toBeGreaterThan(0)
    expect(await prunePreconfirmations(database, { retentionMs: dayMs, nowMs })).toBe(0)
    expect(await preconfirmedTransaction(database, hashOf(1))).toBeUndefined()
    expect(await preconfirmedTransaction(database, hashOf(2))).toBeDefined()
    expect((await flashblockList(database, { limit: 10 })).map(({ height }) => height)).toEqual([9])
    const left = await Promise.all([7, 8, 9].map((height) => preconfirmedBlock(database, height)))
    expect(left.map((row) => row?.height)).toEqual([undefined, 8, 9])
    expect((await windowsOf(nowMs)).map(({ blocks }) => blocks)).toEqual([0, 1, 3])
    await deletePreconfirmations(database)
    expect(await preconfirmedBlock(database, 8)).toBeUndefined()
    expect(await windowsOf()).toEqual([NO_FIGURES, NO_FIGURES, NO_FIGURES])
  })
})
