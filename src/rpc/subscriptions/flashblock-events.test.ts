import { expect, test } from 'vitest'
import { makePayload } from '../../pending/payload-for-tests.ts'
import { createTestState, type TestState } from '../state/rpc-state-for-tests.ts'
import { createFlashblockEvents } from './flashblock-events.ts'
import type { SubscriberEvent } from './subscriptions.ts'

/** All but the stream, which repeats what the others have. */
function everything(kind: SubscriberEvent['kind']): boolean {
  return kind !== 'flashblocks'
}

function kindsOf(events: readonly SubscriberEvent[]): string[] {
  return events.map(({ kind }) => kind)
}

function eventsOf({ rpc }: TestState) {
  return createFlashblockEvents(rpc)
}

test('the first view gives the tip, its transactions and its logs', () => {
  const state = createTestState()
  const events = eventsOf(state).after(state.pendingChain.view(), everything)
  expect(kindsOf(events)).toEqual(['newFlashblocks', 'newFlashblockTransactions', 'pendingLogs'])
  expect(events[1]).toMatchObject({
    transactions: [0, 1, 2, 3].map((index) => ({
      transactionIndex: `0x${index}`,
      status: '0x1',
      gasUsed: '0x5208',
      cumulativeGasUsed: `0x${((index + 1) * 21_000).toString(16)}`,
    })),
  })
  expect(events[2]).toMatchObject({ logs: [{ logIndex: '0x0' }, { logIndex: '0x1' }, { logIndex: '0x2' }] })
})

test('the stream of flashblocks gives a header and the transactions with their receipts', () => {
  const state = createTestState()
  const events = eventsOf(state).after(state.pendingChain.view(), (kind) => kind === 'flashblocks')
  expect(events).toMatchObject([
    { header: expect.stringContaining('"stateRoot"'), transactions: [] },
    {
      header: undefined,
      transactions: [0, 1, 2, 3].map((index) => ({
        transaction: { transactionIndex: `0x${index}` },
        receipt: { status: '0x1' },
      })),
    },
  ])
})

test('the next flashblock gives only what it adds', () => {
  const state = createTestState()
  const events = eventsOf(state)
  events.after(state.pendingChain.view(), everything)
  state.receive({ flashblock: state.payload.flashblocks[2]!, receivedMs: Date.now() })
  const [block, transactions, logs] = events.after(state.pendingChain.view(), everything)
  expect(JSON.parse((block as { text: string }).text).transactions).toHaveLength(6)
  expect(transactions).toMatchObject({ transactions: [{ transactionIndex: '0x4' }, { transactionIndex: '0x5' }] })
  expect(logs).toMatchObject({ logs: [{ logIndex: '0x3' }, { logIndex: '0x4' }, { logIndex: '0x5' }] })
})

test('the same view a second time gives nothing', () => {
  const state = createTestState()
  const events = eventsOf(state)
  events.after(state.pendingChain.view(), everything)
  expect(events.after(state.pendingChain.view(), everything)).toEqual([])
})

test('kinds that nobody wants are not made, and do not come later', () => {
  const state = createTestState()
  const events = eventsOf(state)
  expect(events.after(state.pendingChain.view(), () => false)).toEqual([])
  expect(events.after(state.pendingChain.view(), everything)).toEqual([])
})

test('the tip is a new head too if the operator chose so', () => {
  const state = createTestState({ latest: 'preconfirmed' })
  const events = eventsOf(state).after(state.pendingChain.view(), (kind) => kind === 'newHeads')
  expect(kindsOf(events)).toEqual(['newHeads'])
  expect(JSON.parse((events[0] as { text: string }).text)).toMatchObject({ number: '0x8' })
})

test('a block that is sealed as it was announced takes no log back', () => {
  const state = createTestState({ flashblocks: 3 })
  const events = eventsOf(state)
  events.after(state.pendingChain.view(), everything)
  state.pendingChain.take({ type: 'canonical', block: state.payload.sealed })
  expect(events.after(state.pendingChain.view(), everything)).toEqual([])
})

test('another block at the same height takes the announced logs back, in their order', () => {
  const state = createTestState({ flashblocks: 3 })
  const events = eventsOf(state)
  const { canonical } = state.pendingChain.view().snapshot
  events.after(state.pendingChain.view(), everything)
  const other = makePayload({ parentHash: canonical!.hash, height: 8, name: 'b', counts: [1] })
  state.pendingChain.take({ type: 'canonical', block: other.sealed })
  const [removed, ...rest] = events.after(state.pendingChain.view(), everything)
  expect(rest).toEqual([])
  expect(removed).toMatchObject({
    kind: 'pendingLogs',
    logs: ['0x0', '0x1', '0x2', '0x3', '0x4', '0x5'].map((logIndex) => ({ logIndex, removed: true })),
  })
})

test('transactions without receipts wait until they are known', () => {
  const state = createTestState({ flashblocks: 0 })
  const { canonical } = state.pendingChain.view().snapshot
  const silent = makePayload({ parentHash: canonical!.hash, height: 8, name: 'c', counts: [2], hasReceipts: false })
  state.receive({ flashblock: silent.flashblocks[0]!, receivedMs: Date.now() })
  const events = eventsOf(state).after(state.pendingChain.view(), everything)
  expect(kindsOf(events)).toEqual(['newFlashblocks'])
})
