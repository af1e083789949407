import { expect, test } from 'vitest'
import { JsonText } from '../../lib/json/json-rpc.ts'
import type { FeedStatus } from '../../upstream/feed/feed.ts'
import { createWorkBalances } from '../state/client-work.ts'
import { createTestState } from '../state/rpc-state-for-tests.ts'
import { connectForTests } from '../subscriptions/connection-for-tests.ts'
import { createSubscriptions } from '../subscriptions/subscriptions.ts'
import { nodeMethods } from './node.ts'
import { subscriptionMethods } from './subscriptions.ts'

test('the network id is asked of the node once', async () => {
  const { scope, asked } = createTestState({ node: { net_version: '10' } })
  const ids = [await nodeMethods.net_version(scope(), [], []), await nodeMethods.net_version(scope(), [], [])]
  expect(ids).toEqual([new JsonText('"10"'), new JsonText('"10"')])
  expect(asked).toHaveLength(1)
})

test('the version names the node behind, or says that it does not answer', async () => {
  const { scope } = createTestState({ node: { web3_clientVersion: 'reth/v1.9' } })
  expect(await nodeMethods.web3_clientVersion(scope(), [], [])).toMatch(/^Firstlight\/v\d+\.\d+\.\d+ over reth\/v1\.9$/)
  const silent = createTestState()
  expect(await nodeMethods.web3_clientVersion(silent.scope(), [], [])).toMatch(/ over a node that does not answer$/)
})

test('preconfirmations are served while something is pending', () => {
  expect(nodeMethods.eth_flashblocksEnabled(createTestState().scope(), [], [])).toBe(true)
  expect(nodeMethods.eth_flashblocksEnabled(createTestState({ flashblocks: 0 }).scope(), [], [])).toBe(false)
})

test('the peers of eth_flashblocksPeerStatus are the upstreams of the feed, without their addresses', () => {
  const { scope, rpc } = createTestState()
  expect(nodeMethods.eth_flashblocksPeerStatus(scope(), [], [])).toBeNull()
  const upstreams = [
    { url: 'wss://secret', isConnected: true, connections: 2 },
    { url: 'wss://other', isConnected: false, connections: 0 },
  ] as unknown as FeedStatus['upstreams']
  const followed = { ...scope(), rpc: { ...rpc, feedStatus: () => ({ upstreams, lost: 0 }) } }
  const status = nodeMethods.eth_flashblocksPeerStatus(followed, [], [])
  expect(status).toMatchObject({
    summary: { total: 2, connected: 1, disconnected: 0, neverConnected: 1 },
    peers: [
      { peerId: 'upstream 1', connectionState: 'connected', connectionCount: 2 },
      { peerId: 'upstream 2', connectionState: 'never_connected' },
    ],
  })
  expect(JSON.stringify(status)).not.toContain('wss:')
})

const balances = createWorkBalances(null, Date.now)

test('a subscription over a connection has an id, gets its events, and ends when its id is given back', () => {
  const subscriptions = createSubscriptions(2, balances)
  const methods = subscriptionMethods(subscriptions)
  const { connection, sent } = connectForTests()
  const scope = createTestState().scope([], connection)
  const id = methods.eth_subscribe(scope, ['newHeads', undefined], []) as string
  expect(id).toMatch(/^0x[0-9a-f]{32}$/)
  subscriptions.publish({ kind: 'newHeads', text: '{}' })
  expect(sent).toEqual([{ subscription: id, result: {} }])
  expect(methods.eth_unsubscribe(scope, [id], [])).toBe(true)
  expect(methods.eth_unsubscribe(scope, [id], [])).toBe(false)
  subscriptions.publish({ kind: 'newHeads', text: '{}' })
  expect(sent).toHaveLength(1)
})

test('a connection cannot end the subscription of another', () => {
  const methods = subscriptionMethods(createSubscriptions(2, balances))
  const [one, other] = [connectForTests(), connectForTests()].map(({ connection }) =>
    createTestState().scope([], connection),
  )
  const id = methods.eth_subscribe(one!, ['logs', {}], []) as string
  expect(methods.eth_unsubscribe(other!, [id], [])).toBe(false)
  expect(methods.eth_unsubscribe(one!, [id], [])).toBe(true)
})

test('over HTTP neither subscribing nor unsubscribing is possible', () => {
  const methods = subscriptionMethods(createSubscriptions(2, balances))
  const scope = createTestState().scope()
  const refusal = expect.objectContaining({ code: -32001, message: 'notifications not supported' })
  expect(() => methods.eth_subscribe(scope, ['newHeads', undefined], [])).toThrow(refusal)
  expect(() => methods.eth_unsubscribe(scope, ['0x1'], [])).toThrow(refusal)
})
