import { beforeEach, describe, expect, test } from 'vitest'
import { addressToHex, type Hex, toQuantity } from '../chain/bytes/hex.ts'
import type { Flashblock } from '../chain/codec/flashblock.ts'
import type { Receipt } from '../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import type { PendingState } from '../pending/executor.ts'
import { flashblock as message } from './flashblocks-for-tests.ts'
import { createOutgoingFeed, type Outgoing, type OutgoingFeed } from './outgoing-feed.ts'

function hashOf(block: number, index: number): Hex {
  return `0x${`${block}${index}`.padStart(64, '0')}`
}
function transactionHash(block: number, index: number): Hex {
  return `0x${`7${block}${index}`.padStart(64, '0')}`
}

type OutgoingOptions = { receipts?: boolean; hash?: Hex; payload?: number }

function outgoing(
  block: number,
  index: number,
  { receipts = true, hash, payload = block }: OutgoingOptions = {},
): Outgoing {
  const transaction = transactionHash(block, index)
  const metadata = receipts ? { new_account_balances: {}, receipts: { [transaction]: { Legacy: {} } } } : {}
  const sentOn = message(block, index, { payload, transactions: ['0x00'], metadata })
  const flashblock = {
    payloadId: sentOn.payload_id as Hex,
    index,
    height: block,
    totals: { blockHash: hash ?? hashOf(block, index) },
    transactions: [{ hash: transaction } as RecoveredTransaction],
  } as unknown as Flashblock
  return { flashblock, message: sentOn, arrivedMs: 1_000 }
}

let sent: Outgoing[]
let feed: OutgoingFeed
function positions() {
  return sent.map(({ flashblock }) => [flashblock.height, flashblock.index])
}
beforeEach(() => {
  sent = []
  feed = createOutgoingFeed({ send: (each) => sent.push(each), receiptsTimeoutMs: 500 })
})

test('a complete flashblock is sent at once, with the gap before it', () => {
  feed.take(outgoing(5, 0))
  feed.gap({ height: 5, index: 0 })
  feed.take(outgoing(5, 2))
  feed.take(outgoing(6, 0))
  expect(positions()).toEqual([
    [5, 0],
    [5, 2],
    [6, 0],
  ])
  expect(sent.map(({ gapAfter }) => gapAfter)).toEqual([undefined, { height: 5, index: 0 }, undefined])
})

describe('what the upstream leaves out', () => {
  const RECEIPT: Receipt = { type: 2, status: 1, cumulativeGasUsed: 21_000n, logs: [], logsBloom: new Uint8Array(256) }
  const ADDRESS = 0xabn
  const stateAfter = (block: number, index: number): PendingState =>
    ({
      block: {
        payloadId: outgoing(block, 0).flashblock.payloadId,
        hash: hashOf(block, index),
        transactions: Array.from({ length: index + 1 }, (_, i) => ({ recovered: { hash: transactionHash(block, i) } })),
      },
      receipts: Array.from({ length: index + 1 }, () => RECEIPT),
      changes: { accounts: new Map([[ADDRESS, null]]), slots: new Map() },
      source: { account: () => ({ balance: 7n }) },
    }) as unknown as PendingState

  test('what the upstream leaves out is filled in from what was executed, before it goes out', () => {
    feed.take(outgoing(5, 0, { receipts: false }))
    expect(sent).toEqual([])
    feed.executed([stateAfter(5, 0)])
    expect(sent[0]!.message.metadata).toMatchObject({
      new_account_balances: { [addressToHex(ADDRESS)]: toQuantity(7n) },
      receipts: { [transactionHash(5, 0)]: { Eip1559: { status: '0x1', cumulativeGasUsed: '0x5208', logs: [] } } },
    })
  })

  test('what the upstream leaves out holds back what comes behind it, so that the order stays', () => {
    feed.take(outgoing(5, 0, { receipts: false }))
    feed.take(outgoing(5, 1))
    expect(sent).toEqual([])
    feed.executed([stateAfter(5, 1)])
    expect(positions()).toEqual([
      [5, 0],
      [5, 1],
    ])
    // The state is of a later moment, so its balances are not sent as those of this one.
    expect(sent[0]!.message.metadata.new_account_balances).toEqual({})
  })

  test('what the upstream leaves out stays out where it was not executed, or takes too long', () => {
    feed.take(outgoing(5, 0, { receipts: false }))
    feed.tick(1_400)
    expect(sent).toEqual([])
    feed.tick(1_501)
    feed.take(outgoing(5, 1, { receipts: false }))
    feed.executed(null)
    expect(positions()).toEqual([
      [5, 0],
      [5, 1],
    ])
    expect(sent[0]!.message.metadata.receipts).toBeUndefined()
  })
})
