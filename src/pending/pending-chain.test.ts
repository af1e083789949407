import { describe, expect, test } from 'vitest'
import { receiptsRoot } from '../chain/codec/receipt.ts'
import { rulesOfFork } from '../chain/rules/forks.ts'
import type { CanonicalBlock } from './compare-with-sealed.ts'
import { snapshotOf } from './live-pending-chain.ts'
import {
  EMPTY_RESEQUENCED_CHAIN,
  type FeedOrChainEvent,
  groundAt,
  makePayload,
  type Payload,
  type ResequencedChain,
  resequencedChainAfter,
  sealedBlock,
} from './payload-for-tests.ts'
import { receiptsOf } from './pending-block.ts'
import { RETAINED_BLOCKS } from './pending-chain.ts'

const rules = { rulesOf: () => rulesOfFork('isthmus'), staleMs: null }
const ground = groundAt(100)

function applied(chain: ResequencedChain, ...events: readonly FeedOrChainEvent[]): ResequencedChain {
  return events.reduce((before, event) => resequencedChainAfter(rules, before, event), chain)
}

function canonical(block: CanonicalBlock): FeedOrChainEvent {
  return { type: 'canonical', block }
}

/** All flashblocks of a payload, or those of the indexes. */
function announced({ flashblocks }: Payload, indexes = flashblocks.map(({ index }) => index), receivedMs = 1_000) {
  return indexes.map((index): FeedOrChainEvent => ({ type: 'flashblock', flashblock: flashblocks[index]!, receivedMs }))
}

function tips({ blocks }: ResequencedChain) {
  return blocks.map(({ header, index }) => `${header.number}/${index}`)
}

const onGround = applied(EMPTY_RESEQUENCED_CHAIN, canonical(ground))
const first = makePayload({ parentHash: ground.hash, height: 101, name: 'first', counts: [1, 2, 0, 3] })
const second = makePayload({ parentHash: first.sealed.hash, height: 102, name: 'second', counts: [1, 1] })

describe('order', () => {
  test('the pending chain serves the longest prefix without a gap, whatever the order', () => {
    const gap = applied(onGround, ...announced(first, [0, 1, 3]))
    expect(tips(gap)).toEqual(['101/1'])
    expect(tips(applied(gap, ...announced(first, [2])))).toEqual(['101/3'])
    expect(tips(applied(onGround, ...announced(first, [3, 2, 1, 0])))).toEqual(['101/3'])
  })

  test('the pending chain has the same sequences after a duplicate, an old flashblock and one that is too far ahead', () => {
    const chain = applied(onGround, ...announced(first))
    const old = makePayload({ parentHash: ground.header.parentHash, height: 100, name: 'old', counts: [1] })
    const far = makePayload({ parentHash: ground.hash, height: 101 + RETAINED_BLOCKS, name: 'far', counts: [1] })
    expect(applied(chain, ...announced(first), ...announced(old), ...announced(far)).sequences).toBe(chain.sequences)
  })

  test('a flashblock that says it is of another block is not mixed in', () => {
    const [, next] = announced(first)
    const moved = { ...next, flashblock: { ...first.flashblocks[1]!, height: 102 } } as FeedOrChainEvent
    expect(tips(applied(onGround, ...announced(first, [0]), moved, ...announced(first, [1])))).toEqual(['101/1'])
  })

  test('a block whose parent lacks something waits, and is served once the parent is whole', () => {
    const chain = applied(onGround, ...announced(first, [0, 1]), ...announced(second))
    expect(tips(chain)).toEqual(['101/1'])
    expect(tips(applied(chain, ...announced(first, [2, 3])))).toEqual(['101/3', '102/1'])
    expect(tips(applied(chain, canonical(first.sealed)))).toEqual(['102/1'])
  })

  test('the pending chain runs several blocks ahead of the canonical head', () => {
    let parentHash = ground.hash
    let chain = onGround
    for (let height = 101; height <= 120; height++) {
      const payload = makePayload({ parentHash, height, name: 'ahead', counts: [1, 1] })
      chain = applied(chain, ...announced(payload))
      parentHash = payload.sealed.hash
    }
    expect(chain.blocks.map(({ header }) => header.number)).toEqual(Array.from({ length: 20 }, (_, i) => 101 + i))
  })

  test('the last version of a block counts as the parent where the feed leaves state roots out', () => {
    const rootless = makePayload({
      parentHash: ground.hash,
      height: 101,
      name: 'rootless',
      counts: [1, 1, 1],
      hasStateRoot: false,
    })
    const child = makePayload({
      parentHash: rootless.sealed.hash,
      height: 102,
      name: 'child',
      counts: [1],
      hasStateRoot: false,
    })
    expect(tips(applied(onGround, ...announced(rootless), ...announced(child)))).toEqual(['101/2', '102/0'])
    expect(tips(applied(onGround, ...announced(rootless, [0, 2]), ...announced(child)))).toEqual(['101/0'])
    expect(tips(applied(onGround, ...announced(rootless), ...announced(child), canonical(rootless.sealed)))).toEqual([
      '102/0',
    ])
  })
})

describe('payloads', () => {
  const rival = makePayload({ parentHash: ground.hash, height: 101, name: 'rival', counts: [2, 1] })

  test('a payload gives way to a newer one once index 0 of that one has come, not before', () => {
    const chain = applied(onGround, ...announced(first), ...announced(rival, [1]))
    expect(chain.blocks[0]!.payloadId).toBe(first.flashblocks[0]!.payloadId)
    const next = applied(chain, ...announced(rival, [0]))
    expect(next.blocks.map(({ payloadId, index }) => [payloadId, index])).toEqual([
      [rival.flashblocks[0]!.payloadId, 1],
    ])
    expect(snapshotOf(next).transaction(first.flashblocks[1]!.transactions[0]!.hash)).toBeNull()
  })

  test('the payload that the next block stands on wins, even where it is the older one', () => {
    expect(tips(applied(onGround, ...announced(first), ...announced(rival), ...announced(second)))).toEqual([
      '101/3',
      '102/1',
    ])
  })

  test('the flashblock that gives the announced hash wins where upstreams contradict each other', () => {
    const lie = { ...first.flashblocks[1]!, transactions: first.flashblocks[1]!.transactions.slice(1) }
    const chain = applied(onGround, ...announced(first, [0]), { type: 'flashblock', flashblock: lie, receivedMs: 0 })
    expect(tips(chain)).toEqual(['101/0'])
    expect(tips(applied(chain, ...announced(first, [1])))).toEqual(['101/1'])
  })

  test('headers that cannot be recomputed pass until one can be recomputed', () => {
    const strange = {
      ...first.flashblocks[0]!,
      totals: { ...first.flashblocks[0]!.totals, withdrawalsRoot: ground.hash },
    }
    const unproven = applied(onGround, { type: 'flashblock', flashblock: strange, receivedMs: 0 })
    expect(unproven.blocks.map(({ isProven }) => isProven)).toEqual([false])
    const proven = applied(onGround, ...announced(rival), { type: 'flashblock', flashblock: strange, receivedMs: 0 })
    expect(proven.blocks[0]!.payloadId).toBe(rival.flashblocks[0]!.payloadId)
  })
})

describe('the canonical chain', () => {
  test('a canonical block replaces its preconfirmed one, whose flashblocks are still found by hash', () => {
    const chain = applied(onGround, ...announced(first), ...announced(second), canonical(first.sealed))
    expect(tips(chain)).toEqual(['102/1'])
    expect(chain.settlements).toMatchObject([{ height: 101, differences: [], unannounced: 0 }])
    const snapshot = snapshotOf(chain)
    for (const { totals } of [...first.flashblocks, ...second.flashblocks]) {
      expect(snapshot.blockByHash(totals.blockHash)?.hash).toBe(totals.blockHash)
    }
    const done = applied(chain, canonical(second.sealed))
    expect(snapshotOf(done).tip).toBeNull()
  })

  test('flashblocks are forgotten after the number of blocks that are retained', () => {
    let chain = applied(onGround, ...announced(first), canonical(first.sealed))
    let block = first.sealed
    for (let i = 1; i <= RETAINED_BLOCKS; i++) {
      const payload = makePayload({ parentHash: block.hash, height: 101 + i, name: 'on', counts: [1] })
      chain = applied(chain, ...announced(payload), canonical(payload.sealed))
      block = payload.sealed
      expect(snapshotOf(chain).blockByHash(first.sealed.hash) !== null).toBe(i < RETAINED_BLOCKS)
    }
    expect(chain.archive).toHaveLength(RETAINED_BLOCKS)
  })

  test('a canonical block drops the blocks that stand on a lost one, and the ones that it contradicts', () => {
    const { header, transactions, receipts } = first.sealed
    const other = sealedBlock(
      { ...header, gasUsed: 1n },
      transactions,
      receipts.map(({ receipt }) => receipt),
    )
    const chain = applied(onGround, ...announced(first), ...announced(second), canonical(other))
    expect(chain.blocks).toEqual([])
    const back = applied(chain, ...announced(first), canonical(ground))
    expect(back.blocks).toEqual([])
  })

  const changed = (change: (sealed: CanonicalBlock) => Partial<CanonicalBlock>) =>
    applied(onGround, ...announced(first), canonical({ ...first.sealed, ...change(first.sealed) })).settlements[0]!
      .differences
  const [one, two] = first.sealed.transactions.map(({ hash }) => hash)

  test('a settlement names what was dropped, moved, and changed in status, gas and logs', () => {
    expect(
      changed(({ transactions, receipts }) => ({
        transactions: transactions.slice(0, -1),
        receipts: receipts.slice(0, -1),
      })),
    ).toMatchObject([{ type: 'dropped' }])
    const swapped = changed(({ transactions: [a, b, ...rest] }) => ({ transactions: [b!, a!, ...rest] }))
    expect(swapped.filter(({ type }) => type === 'moved')).toMatchObject([
      { transaction: one, from: 0, to: 1 },
      { transaction: two, from: 1, to: 0 },
    ])
    const withLast = (change: object) =>
      changed(({ receipts }) => ({
        receipts: receipts.with(-1, { receipt: { ...receipts.at(-1)!.receipt, ...change } }),
      })).map(({ type }) => type)
    expect(withLast({ status: 0 })).toEqual(['status'])
    expect(withLast({ cumulativeGasUsed: 1_000_000n })).toEqual(['gas'])
    expect(withLast({ logs: [] })).toEqual(['logs'])
  })

  test('transactions that were never announced are not counted as differences', () => {
    const chain = applied(onGround, ...announced(first, [0, 1]), canonical(first.sealed))
    expect(chain.settlements).toMatchObject([{ differences: [], unannounced: 3 }])
    expect(snapshotOf(chain).blockByHash(first.flashblocks[1]!.totals.blockHash)).not.toBeNull()
  })

  test('the pending chain follows a reorg, and ignores a node that lags', () => {
    const chain = applied(onGround, ...announced(first), ...announced(second), canonical(first.sealed))
    expect(applied(chain, canonical(ground))).toBe(chain)
    const fork = makePayload({ parentHash: ground.hash, height: 101, name: 'fork', counts: [2] })
    const forked = applied(chain, canonical(fork.sealed))
    expect(forked.blocks).toEqual([])
    expect(snapshotOf(forked).blockByHash(first.sealed.hash)).toBeNull()
    const onFork = makePayload({ parentHash: fork.sealed.hash, height: 102, name: 'on fork', counts: [1] })
    expect(tips(applied(forked, ...announced(onFork)))).toEqual(['102/0'])
  })

  test('the pending chain serves at once what came before the node reported its head', () => {
    expect(applied(EMPTY_RESEQUENCED_CHAIN, ...announced(first)).blocks).toEqual([])
    const early = snapshotOf(applied(EMPTY_RESEQUENCED_CHAIN, ...announced(first), canonical(ground)))
    expect([early.tip?.header.number, early.tip?.index, early.advancedMs]).toEqual([101, 3, 1_000])
  })
})

describe('receipts', () => {
  const silent = makePayload({
    parentHash: ground.hash,
    height: 101,
    name: 'silent',
    counts: [1, 2, 1],
    hasReceipts: false,
  })
  const receipts = silent.sealed.receipts.map(({ receipt }) => receipt)

  test('gas and log indexes of receipts are derived across flashblocks', () => {
    const [block] = applied(onGround, ...announced(first)).blocks
    const outcomes = block!.transactions.map(({ outcome }) => outcome!)
    expect(outcomes.map(({ gasUsed }) => gasUsed)).toEqual(outcomes.map(() => 21_000n))
    expect(outcomes.map(({ firstLogIndex }) => firstLogIndex)).toEqual([0, 0, 1, 3, 3, 4])
    expect(receiptsRoot(receiptsOf(block!)!)).toBe(block!.header.receiptsRoot)
  })

  test('receipts that do not give the receipts root are ignored', () => {
    const bent = first.flashblocks[0]!.receipts!.map((receipt) => ({ ...receipt, status: 0 as const }))
    const flashblock = { ...first.flashblocks[0]!, receipts: bent }
    const [block] = applied(onGround, { type: 'flashblock', flashblock, receivedMs: 0 }).blocks
    expect(receiptsOf(block!)).toBeNull()
  })

  test('receipts that the feed left out are taken from execution, also for later flashblocks', () => {
    const executed = (index: number): FeedOrChainEvent => ({
      type: 'executed',
      hash: silent.flashblocks[index]!.totals.blockHash,
      receipts: receipts.slice(0, [1, 3, 4][index]),
    })
    const chain = applied(onGround, ...announced(silent), executed(1))
    expect(chain.blocks[0]!.transactions.map(({ outcome }) => outcome !== null)).toEqual([true, true, true, false])
    expect(receiptsOf(applied(chain, executed(2)).blocks[0]!)).toEqual(receipts)
  })
})

describe('staleness', () => {
  const at = (nowMs: number): FeedOrChainEvent => ({ type: 'clock', nowMs })
  const fresh = applied(onGround, ...announced(first, [0], 1_000), ...announced(first, [1], 1_200))

  test('the pending chain is stale before the first flashblock, and again after two seconds of nothing new', () => {
    expect(onGround.isStale).toBe(true)
    expect(applied(fresh, at(3_200)).isStale).toBe(false)
    expect(applied(fresh, ...announced(first, [0, 1], 3_000), at(3_201)).isStale).toBe(true)
  })

  test('a stale pending chain shows nothing pending but answers by hash, and recovers with the next flashblock', () => {
    const stale = applied(fresh, at(10_000))
    const snapshot = snapshotOf(stale)
    expect([snapshot.tip, snapshot.blockByNumber(101)]).toEqual([null, null])
    expect(snapshot.blockByHash(first.flashblocks[0]!.totals.blockHash)).not.toBeNull()
    expect(snapshotOf(applied(stale, ...announced(first, [2], 10_100))).tip?.index).toBe(2)
    // A clock may be put back.
    expect(snapshotOf(applied(stale, ...announced(first, [2], 500))).tip?.index).toBe(2)
  })

  test('the pending chain is stale after three observed intervals, where those are long', () => {
    const slow = applied(onGround, ...announced(first, [0], 0), ...announced(first, [1], 1_500))
    expect(applied(slow, at(1_500 + 4_500)).isStale).toBe(false)
    expect(applied(slow, at(1_500 + 4_501)).isStale).toBe(true)
  })
})
