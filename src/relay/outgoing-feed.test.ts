import { beforeEach, describe, expect, test } from 'vitest'
import { addressToHex, type Hex, toQuantity } from '../chain/bytes/hex.ts'
import type { Flashblock } from '../chain/codec/flashblock.ts'
import type { Receipt } from '../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import type { PendingState } from '../pending/executor.ts'
import type { PendingChain } from '../pending/pending-chain.ts'
import { flashblock as message } from './flashblocks-for-tests.ts'
import { createOutgoingFeed, type Incoming, type OutgoingFeed } from './outgoing-feed.ts'

function hashOf(block: number, index: number): Hex {
  return `0x${`${block}${index}`.padStart(64, '0')}`
}
function transactionHash(block: number, index: number): Hex {
  return `0x${`7${block}${index}`.padStart(64, '0')}`
}

type Told = { receipts?: boolean; hash?: Hex; payload?: number }

function incoming(block: number, index: number, { receipts = true, hash, payload = block }: Told = {}): Incoming {
  const transaction = transactionHash(block, index)
  const metadata = receipts ? { new_account_balances: {}, receipts: { [transaction]: { Legacy: {} } } } : {}
  const told = message(block, index, { payload, transactions: ['0x00'], metadata })
  const flashblock = {
    payloadId: told.payload_id as Hex,
    index,
    height: block,
    totals: { blockHash: hash ?? hashOf(block, index) },
    transactions: [{ hash: transaction } as RecoveredTransaction],
  } as unknown as Flashblock
  return { flashblock, message: told, receivedMs: 1_000 }
}

/** A chain that believes so many flashblocks of a block. */
function believing(block: number, count: number): PendingChain {
  return {
    sequences: [
      {
        payloadId: incoming(block, 0).flashblock.payloadId,
        versions: Array.from({ length: count }, (_, index) => ({ hash: hashOf(block, index) })),
      },
    ],
  } as unknown as PendingChain
}

let sent: Incoming[]
let feed: OutgoingFeed
function places() {
  return sent.map(({ flashblock }) => [flashblock.height, flashblock.index])
}
beforeEach(() => {
  sent = []
  feed = createOutgoingFeed({ send: (each) => sent.push(each), patienceMs: 500 })
})

describe('the order', () => {
  test('is that of the payload, whatever came first', () => {
    feed.take(incoming(5, 0), believing(5, 1))
    feed.take(incoming(5, 2), believing(5, 1))
    expect(places()).toEqual([[5, 0]])
    feed.take(incoming(5, 1), believing(5, 3))
    expect(places()).toEqual([
      [5, 0],
      [5, 1],
      [5, 2],
    ])
  })

  test('goes on behind a gap when the next block begins', () => {
    feed.take(incoming(5, 0), believing(5, 1))
    feed.take(incoming(5, 2), believing(5, 1))
    feed.take(incoming(6, 0), believing(6, 1))
    expect(places()).toEqual([
      [5, 0],
      [5, 2],
      [6, 0],
    ])
  })

  test('has nothing twice', () => {
    for (let i = 0; i < 3; i++) feed.take(incoming(5, 0), believing(5, 1))
    expect(places()).toEqual([[5, 0]])
  })
})

test('of two stories the one that the chain believes goes out', () => {
  feed.take(incoming(5, 0, { hash: hashOf(9, 9) }), believing(5, 0))
  expect(places()).toEqual([])
  feed.take(incoming(5, 0), believing(5, 1))
  expect(sent.map(({ flashblock }) => flashblock.totals.blockHash)).toEqual([hashOf(5, 0)])
})

test('what is canonical already is passed on as it comes', () => {
  feed.take(incoming(5, 0), { sequences: [] } as unknown as PendingChain)
  expect(places()).toEqual([[5, 0]])
})

describe('what the upstream leaves out', () => {
  const RECEIPT: Receipt = { type: 2, status: 1, cumulativeGasUsed: 21_000n, logs: [], logsBloom: new Uint8Array(256) }
  const ADDRESS = 0xabn
  const stateAfter = (block: number, index: number): PendingState =>
    ({
      block: { payloadId: incoming(block, 0).flashblock.payloadId, hash: hashOf(block, index) },
      receipts: Array.from({ length: index + 1 }, () => RECEIPT),
      changes: { accounts: new Map([[ADDRESS, null]]), slots: new Map() },
      source: { account: () => ({ balance: 7n }) },
    }) as unknown as PendingState

  test('is filled in from what was executed, before it goes out', () => {
    feed.take(incoming(5, 0, { receipts: false }), believing(5, 1))
    expect(sent).toEqual([])
    feed.executed([stateAfter(5, 0)])
    expect(sent[0]!.message.metadata).toMatchObject({
      new_account_balances: { [addressToHex(ADDRESS)]: toQuantity(7n) },
      receipts: { [transactionHash(5, 0)]: { Eip1559: { status: '0x1', cumulativeGasUsed: '0x5208', logs: [] } } },
    })
  })

  test('holds back what comes behind it, so that the order stays', () => {
    feed.take(incoming(5, 0, { receipts: false }), believing(5, 1))
    feed.take(incoming(5, 1), believing(5, 2))
    expect(sent).toEqual([])
    feed.executed([stateAfter(5, 1)])
    expect(places()).toEqual([
      [5, 0],
      [5, 1],
    ])
    // The state is of a later moment, so its balances are not told as those of this one.
    expect(sent[0]!.message.metadata.new_account_balances).toEqual({})
  })

  test('stays out where nobody can tell, or takes too long', () => {
    feed.take(incoming(5, 0, { receipts: false }), believing(5, 1))
    feed.tick(1_400)
    expect(sent).toEqual([])
    feed.tick(1_501)
    feed.take(incoming(5, 1, { receipts: false }), believing(5, 2))
    feed.executed(null)
    expect(places()).toEqual([
      [5, 0],
      [5, 1],
    ])
    expect(sent[0]!.message.metadata.receipts).toBeUndefined()
  })
})
