import { expect, test } from 'vitest'
import type { Executor, PendingState } from '../../pending/executor.ts'
import { createTestState } from './rpc-state-for-tests.ts'
import { chooseView } from './scope.ts'

const BATCH = { readsState: false, readsReceipts: false, isBatch: true }

/** Gives every block an empty state, but waits before a block with more than so many flashblocks. */
function executorUpTo(maxIndex: number): Executor {
  return {
    async follow({ blocks }) {
      if (blocks.some(({ index }) => index > maxIndex)) await new Promise(() => {})
      return { type: 'executed', states: blocks.map((block) => ({ block, receipts: [] }) as unknown as PendingState) }
    },
  }
}

test('a request that reads no state gets the newest view, executed or not', () => {
  const { rpc, pendingChain } = createTestState()
  expect(chooseView(rpc, BATCH)).toBe(pendingChain.view())
})

test('a batch that reads state sees nothing pending while no state is known', () => {
  const { scope } = createTestState()
  const { view } = scope(['eth_call', 'eth_blockNumber'])
  expect(view.snapshot).toMatchObject({ blocks: [], tip: null, canonical: { height: 7 } })
})

test('a single request that reads state sees the pending blocks although no state is known', () => {
  const { scope } = createTestState()
  expect(scope(['eth_getBalance']).view.snapshot.tip).toMatchObject({ index: 1 })
})

test('a request that reads state gets the last executed view while the executor is behind', async () => {
  const { rpc, pendingChain, payload, receive, scope } = createTestState({ executor: executorUpTo(1) })
  await pendingChain.settled()
  expect(scope(['eth_call']).view).toBe(pendingChain.view())
  const executed = pendingChain.view()
  receive({ flashblock: payload.flashblocks[2]!, receivedMs: Date.now() })
  while (pendingChain.view() === executed) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(pendingChain.view().snapshot.tip).toMatchObject({ index: 2 })
  expect(chooseView(rpc, { ...BATCH, readsState: true })).toBe(executed)
  expect(chooseView(rpc, { ...BATCH, readsReceipts: true })).toBe(executed)
  expect(chooseView(rpc, BATCH)).toBe(pendingChain.view())
})
