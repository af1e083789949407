import { expect, test } from 'vitest'
import { type Code, toCode } from '../../evm/state/code.ts'
import type { PendingState } from '../../pending/executor.ts'
import { StateUnavailable } from '../../pending/node-state.ts'
import { createTestState, SILENCE, type TestStateOptions } from '../state/rpc-state-for-tests.ts'
import type { Scope } from '../state/scope.ts'
import { stateMethods } from './state.ts'

const ADDRESS = '0x00000000000000000000000000000000000000f0'
const OTHER = '0x0000000000000000000000000000000000000001'
const PENDING = { type: 'tag', tag: 'pending' } as const
const LATEST = { type: 'tag', tag: 'latest' } as const

type Known = Partial<Pick<PendingState['source'], 'account' | 'code' | 'storage'>>

/** A scope whose pending block is executed: what the source does not know is fetched, and `fetched` says what. */
function executed(known: Known, fetch: PendingState['fetch'], options: TestStateOptions = {}): Scope {
  const real = createTestState(options).scope()
  const source = { account: () => undefined, code: () => undefined, storage: () => undefined, ...known }
  const state = { block: real.view.snapshot.tip, source, fetch } as unknown as PendingState
  return { ...real, view: { ...real.view, states: [state] } }
}

async function never(): Promise<void> {
  throw new Error('nothing is missing')
}

test('without an executor the nonce is that after the sender’s last preconfirmed transaction', async () => {
  const { scope } = createTestState({ node: { eth_getTransactionCount: '0x0' } })
  expect(await stateMethods.eth_getTransactionCount(scope(), [ADDRESS, PENDING], [])).toBe('0x4')
})

test('the pool of the node counts where it is ahead', async () => {
  const { scope, asked } = createTestState({ node: { eth_getTransactionCount: '0x9' } })
  expect(await stateMethods.eth_getTransactionCount(scope(), [ADDRESS, PENDING], [])).toBe('0x9')
  expect(asked).toEqual([['eth_getTransactionCount', [ADDRESS, 'pending']]])
})

test('a node that refuses to count its pool leaves the preconfirmed nonce', async () => {
  const { scope } = createTestState()
  expect(await stateMethods.eth_getTransactionCount(scope(), [ADDRESS, PENDING], [])).toBe('0x4')
})

test('a node that is silent about its pool gets a refusal, not a nonce without the pool', async () => {
  const { scope } = createTestState({ node: { eth_getTransactionCount: SILENCE } })
  const answer = stateMethods.eth_getTransactionCount(scope(), [ADDRESS, PENDING], [])
  await expect(answer).rejects.toThrow('its pool cannot be counted')
})

test('an account that the feed says nothing of is asked of the node at the canonical head', async () => {
  const { scope, asked, pendingChain } = createTestState({ node: { eth_getBalance: '0x64' } })
  const { canonical } = pendingChain.view().snapshot
  expect(await stateMethods.eth_getBalance(scope(), [OTHER, PENDING], [])).toBe('0x64')
  expect(asked).toEqual([['eth_getBalance', [OTHER, { blockHash: canonical!.hash }]]])
})

test('a refusal of the node is the answer, and not a balance of zero', async () => {
  const { scope } = createTestState()
  await expect(stateMethods.eth_getBalance(scope(), [OTHER, LATEST], [])).rejects.toMatchObject({ code: -32601 })
})

test('an executed tip answers by itself', async () => {
  const account = { nonce: 3n, balance: 1_000n, codeHash: 5n }
  const scope = executed(
    { account: () => account, code: () => toCode(Uint8Array.of(0x60, 1)), storage: (_, slot) => slot + 1n },
    never,
    { node: { eth_getTransactionCount: '0x1' } },
  )
  expect(await stateMethods.eth_getBalance(scope, [ADDRESS, PENDING], [])).toBe('0x3e8')
  expect(await stateMethods.eth_getTransactionCount(scope, [ADDRESS, PENDING], [])).toBe('0x3')
  expect(await stateMethods.eth_getCode(scope, [ADDRESS, PENDING], [])).toBe('0x6001')
  expect(await stateMethods.eth_getStorageAt(scope, [ADDRESS, 6n, PENDING], [])).toBe(`0x${'00'.repeat(31)}07`)
})

test('an account that does not exist has nothing, no code and a word of zeros', async () => {
  const scope = executed({ account: () => null }, never)
  expect(await stateMethods.eth_getBalance(scope, [ADDRESS, PENDING], [])).toBe('0x0')
  expect(await stateMethods.eth_getCode(scope, [ADDRESS, PENDING], [])).toBe('0x')
  expect(await stateMethods.eth_getStorageAt(scope, [ADDRESS, 0n, PENDING], [])).toBe(`0x${'00'.repeat(32)}`)
})

test('what the source does not know is fetched step by step: first the account, then its code', async () => {
  const fetched: unknown[] = []
  const known: { account?: { nonce: bigint; balance: bigint; codeHash: bigint }; code?: Code } = {}
  const scope = executed({ account: () => known.account, code: () => known.code }, async (misses) => {
    fetched.push(misses)
    if (misses.accounts) known.account = { nonce: 0n, balance: 0n, codeHash: 77n }
    if (misses.codes) known.code = toCode(Uint8Array.of(0xfe))
  })
  expect(await stateMethods.eth_getCode(scope, [ADDRESS, PENDING], [])).toBe('0xfe')
  expect(fetched).toEqual([{ accounts: new Set([0xf0n]) }, { codes: new Map([[0xf0n, 77n]]) }])
})

test('state that the node does not provide is an error and never a zero', async () => {
  const scope = executed({}, async () => {
    throw new StateUnavailable('gone')
  })
  await expect(stateMethods.eth_getBalance(scope, [ADDRESS, PENDING], [])).rejects.toMatchObject({
    message: 'the node does not provide the state',
  })
})
