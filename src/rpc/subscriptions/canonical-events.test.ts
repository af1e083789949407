import { expect, test } from 'vitest'
import type { RpcLog } from '../../chain/rpc/types.ts'
import { makePayload } from '../../pending/payload-for-tests.ts'
import { createTestState, type TestState } from '../state/rpc-state-for-tests.ts'
import { type CanonicalEvents, createCanonicalEvents } from './canonical-events.ts'

const BOTH = { heads: true, logs: true }

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

function createEvents({ rpc }: TestState, ask: Ask = refuse): CanonicalEvents {
  return createCanonicalEvents({ ask }, rpc.blockCache)
}

async function refuse(): Promise<unknown> {
  throw new Error('the node is not to be asked')
}

async function all(events: CanonicalEvents, { pendingChain }: TestState, wanted = BOTH) {
  return Array.fromAsync(events.after(pendingChain.view(), wanted))
}

function seal(state: TestState, block = state.payload.sealed): void {
  state.pendingChain.take({ type: 'canonical', block })
}

/** Another block at height 8, of which no flashblock was received. */
function otherBlock(state: TestState) {
  const parentHash = state.payload.flashblocks[0]!.base!.parentHash
  return makePayload({ parentHash, height: 8, name: 'other', counts: [1] }).sealed
}

test('heads that were there at the beginning are not new', async () => {
  const state = createTestState()
  expect(await all(createEvents(state), state)).toEqual([])
})

test('a block whose flashblocks contained all of it is published without the node', async () => {
  const state = createTestState({ flashblocks: 3 })
  const events = createEvents(state)
  await all(events, state)
  seal(state)
  const [head, logs, ...rest] = await all(events, state)
  expect(rest).toEqual([])
  expect(JSON.parse((head as { text: string }).text)).toMatchObject({ number: '0x8', hash: state.payload.sealed.hash })
  expect(logs).toMatchObject({ kind: 'logs', logs: [0, 1, 2, 3, 4, 5].map((i) => ({ logIndex: `0x${i}` })) })
  expect(await all(events, state)).toEqual([])
})

test('the node is asked for another block, and its header has no fields of the body', async () => {
  const state = createTestState({ flashblocks: 0 })
  const asked: unknown[] = []
  const block = { hash: '0x1', transactions: [], uncles: [], withdrawals: [], size: '0x1', number: '0x8' }
  const events = createEvents(state, async (method, params) => {
    asked.push([method, ...params])
    return method === 'eth_getLogs' ? [] : block
  })
  await all(events, state)
  const sealed = otherBlock(state)
  seal(state, sealed)
  expect(await all(events, state)).toEqual([{ kind: 'newHeads', text: '{"hash":"0x1","number":"0x8"}' }])
  expect(asked).toEqual([
    ['eth_getBlockByHash', sealed.hash, false],
    ['eth_getLogs', { blockHash: sealed.hash }],
  ])
})

test('only what somebody wants is asked for', async () => {
  const state = createTestState({ flashblocks: 3 })
  const events = createEvents(state)
  await all(events, state)
  seal(state)
  expect(await all(events, state, { heads: false, logs: false })).toEqual([])
  expect(await all(events, state)).toEqual([])
})

test('logs of a head that a reorg removed come again as removed, before the new head', async () => {
  const state = createTestState({ flashblocks: 3 })
  const events = createEvents(state, async (method) => (method === 'eth_getLogs' ? [] : { hash: '0x2' }))
  await all(events, state)
  seal(state)
  await all(events, state)
  seal(state, otherBlock(state))
  const [removed, head] = await all(events, state)
  expect(removed).toMatchObject({ kind: 'logs' })
  const { logs } = removed as { logs: readonly RpcLog[] }
  expect(logs.map((log) => log.removed)).toEqual(Array(6).fill(true))
  expect(head).toEqual({ kind: 'newHeads', text: '{"hash":"0x2"}' })
})

test('a node that fails between header and logs does not make the header come twice', async () => {
  const state = createTestState({ flashblocks: 0 })
  let isDown = true
  const log = { logIndex: '0x0' }
  const events = createEvents(state, async (method) => {
    if (method !== 'eth_getLogs') return { hash: '0x3' }
    if (isDown) throw new Error('down')
    return [log]
  })
  await all(events, state)
  seal(state, otherBlock(state))
  const published: unknown[] = []
  const view = state.pendingChain.view()
  await expect(async () => {
    for await (const event of events.after(view, BOTH)) published.push(event)
  }).rejects.toThrow('down')
  expect(published).toEqual([{ kind: 'newHeads', text: '{"hash":"0x3"}' }])
  isDown = false
  expect(await all(events, state)).toEqual([{ kind: 'logs', logs: [log] }])
})

test('a head that was skipped does not come later', async () => {
  const state = createTestState({ flashblocks: 3 })
  const events = createEvents(state)
  await all(events, state)
  seal(state)
  events.skip(state.pendingChain.view())
  expect(await all(events, state)).toEqual([])
})
