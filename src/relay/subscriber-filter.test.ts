import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToAddress, hexToBytes } from '../chain/bytes/hex.ts'
import { encodeTransaction } from '../chain/codec/transaction-codec.ts'
import { createTestSink, flashblock } from './flashblocks-for-tests.ts'
import { createHub } from './hub.ts'
import { outgoingText } from './outgoing-flashblock.ts'
import type { SubscriberFilter } from './subscriber-filter.ts'

function address(byte: string) {
  return `0x${byte.repeat(20)}`
}
function word(byte: string) {
  return `0x${byte.repeat(32)}`
}
const TOKEN = address('aa')
const SENDER = address('bb')
const ROUTER = address('Cc')
const TRANSFER = word('dd')
const SWAP = '0x12345678'

function call(to: string, data: string): string {
  return bytesToHex(
    encodeTransaction({
      type: 0,
      chainId: null,
      nonce: 0n,
      gasPrice: 1n,
      gasLimit: 21_000n,
      to: hexToAddress(to.toLowerCase()),
      value: 0n,
      data: hexToBytes(data),
      signature: { yParity: 0, r: 1n, s: 1n },
    }),
  )
}

/** A swap through the router, which moves the token: what each kind of filter can see. */
function swap(index: number) {
  return flashblock(5, index, {
    transactions: [call(ROUTER, `${SWAP}00`), '0x7bff'],
    metadata: {
      new_account_balances: { [SENDER]: '0x1' },
      receipts: {
        [word('11')]: { Legacy: { status: '0x1', logs: [{ address: TOKEN, topics: [TRANSFER], data: '0x' }] } },
      },
    },
  })
}

function passes(filter: Partial<SubscriberFilter>): boolean {
  const hub = createHub()
  const sink = createTestSink()
  hub.subscribe(sink, {
    encoding: 'plain',
    filter: { addresses: [], topics: [], methods: [], match: 'any', ...filter },
  })
  hub.publish(outgoingText(swap(0)))
  return sink.frames.length > 0
}

describe('a filter', () => {
  test.each([
    ['an emitter of a log', { addresses: [TOKEN] }, true],
    ['a recipient, in any case', { addresses: [ROUTER.toLowerCase()] }, true],
    ['whose balance changed', { addresses: [SENDER] }, true],
    ['one of several addresses', { addresses: [address('01'), TOKEN] }, true],
    ['an address that is not there', { addresses: [address('01')] }, false],
    ['a topic', { topics: [TRANSFER] }, true],
    ['a topic that is not there', { topics: [word('01')] }, false],
    ['a method', { methods: [SWAP] }, true],
    ['a method that is not there', { methods: ['0x00000000'] }, false],
    ['any of two kinds', { addresses: [TOKEN], topics: [word('01')] }, true],
    ['all of two kinds, one not met', { addresses: [TOKEN], topics: [word('01')], match: 'all' }, false],
    ['all of three kinds', { addresses: [TOKEN], topics: [TRANSFER], methods: [SWAP], match: 'all' }, true],
  ] as const)('a filter by %s passes a flashblock that fits and no other', (_name, filter, expected) => {
    expect(passes(filter)).toBe(expected)
  })

  test('a filter sees in balances only what changed since the flashblock before', () => {
    const hub = createHub()
    const sink = createTestSink()
    const filter: SubscriberFilter = { addresses: [SENDER], topics: [], methods: [], match: 'any' }
    hub.subscribe(sink, { encoding: 'plain', filter })
    const balance = (index: number, value: string) =>
      flashblock(5, index, { metadata: { new_account_balances: { [SENDER]: value } } })
    hub.publish(outgoingText(balance(0, '0x1')))
    hub.publish(outgoingText(balance(1, '0x1')))
    hub.publish(outgoingText(balance(2, '0x2')))
    expect(sink.said()).toEqual(['5.0', '5.2'])
  })

  test('a filter lets notices of gaps through', () => {
    const hub = createHub()
    const sink = createTestSink()
    hub.publish(outgoingText(swap(0)))
    const filter: SubscriberFilter = { addresses: [address('01')], topics: [], methods: [], match: 'any' }
    hub.subscribe(sink, { encoding: 'plain', filter, after: { block_number: 5, flashblock_index: 0 } })
    hub.publish(outgoingText(swap(3), { height: 5, index: 0 }))
    expect(sink.said()).toMatchObject([{ reason: 'upstream' }])
  })
})
