import { expect, test } from 'vitest'
import { ANY_LOG, logFilterFrom } from '../../chain/rpc/log-filter.ts'
import type { RpcLog } from '../../chain/rpc/types.ts'
import { createWorkBalances } from '../state/client-work.ts'
import { connectForTests } from './connection-for-tests.ts'
import { createSubscriptions, type NewTransaction, type Subscription } from './subscriptions.ts'

const heads: Subscription = { kind: 'newHeads', criteria: ANY_LOG, full: false }

const balances = createWorkBalances(null, Date.now)

test('an event goes to the subscriptions of its kind only', () => {
  const subscriptions = createSubscriptions(10, balances)
  const { connection, sent } = connectForTests()
  const id = subscriptions.add(connection, heads)
  subscriptions.add(connection, { ...heads, kind: 'newFlashblocks' })
  subscriptions.publish({ kind: 'newHeads', text: '{"number":"0x1"}' })
  expect(sent).toEqual([{ subscription: id, result: { number: '0x1' } }])
})

test('a subscriber to transactions gets hashes, or whole transactions if it asked for them', () => {
  const subscriptions = createSubscriptions(10, balances)
  const { connection, sent } = connectForTests()
  const kind = 'newFlashblockTransactions'
  const hashes = subscriptions.add(connection, { ...heads, kind })
  const whole = subscriptions.add(connection, { ...heads, kind, full: true })
  subscriptions.publish({ kind, transactions: [{ hash: '0xaa', nonce: '0x1' } as unknown as NewTransaction] })
  expect(sent).toEqual([
    { subscription: hashes, result: '0xaa' },
    { subscription: whole, result: { hash: '0xaa', nonce: '0x1' } },
  ])
})

test('a subscriber to logs gets those that its filter matches', () => {
  const subscriptions = createSubscriptions(10, balances)
  const { connection, sent } = connectForTests()
  const [watched, elsewhere] = [1, 2].map((digit) => `0x${String(digit).repeat(40)}`)
  subscriptions.add(connection, { ...heads, kind: 'logs', criteria: logFilterFrom({ address: [watched!] } as never) })
  const logs = [watched, elsewhere].map((address) => ({ address, topics: [], data: '0x' }) as unknown as RpcLog)
  subscriptions.publish({ kind: 'logs', logs })
  expect(sent.map(({ result }) => (result as RpcLog).address)).toEqual([watched])
})

test('one past the limit of subscriptions on a connection is refused', () => {
  const subscriptions = createSubscriptions(1, balances)
  const { connection } = connectForTests()
  subscriptions.add(connection, heads)
  expect(() => subscriptions.add(connection, heads)).toThrow('more than 1 subscriptions')
  expect(() => subscriptions.add(connectForTests().connection, heads)).not.toThrow()
})

test('events of a kind are wanted until the last subscription to it is removed or its connection closed', () => {
  const subscriptions = createSubscriptions(10, balances)
  const [one, other] = [connectForTests(), connectForTests()]
  const id = subscriptions.add(one.connection, heads)
  subscriptions.add(other.connection, heads)
  expect(subscriptions.remove(other.connection, id)).toBe(false)
  expect(subscriptions.remove(one.connection, id)).toBe(true)
  expect(subscriptions.wants('newHeads')).toBe(true)
  other.close()
  expect(subscriptions.wants('newHeads')).toBe(false)
})

test('a connection that closed before its request was answered gets no subscription', () => {
  const subscriptions = createSubscriptions(10, balances)
  const { connection, close } = connectForTests()
  close()
  subscriptions.add(connection, heads)
  expect(subscriptions.wants('newHeads')).toBe(false)
})

test('a client that cannot pay for its events is disconnected and gets no more of them', () => {
  const poor = createWorkBalances({ perSecond: 1, burst: 2_000 }, () => 0)
  const subscriptions = createSubscriptions(10, poor)
  const { connection, sent, ends } = connectForTests()
  subscriptions.add(connection, heads)
  for (let i = 0; i < 3; i++) subscriptions.publish({ kind: 'newHeads', text: '1' })
  expect(sent).toHaveLength(2)
  expect(ends).toEqual(['work balance spent'])
})

test('a result is encoded once for all subscriptions that want the same', () => {
  const subscriptions = createSubscriptions(10, balances)
  const pushed: (readonly [readonly string[], readonly Uint8Array[]])[] = []
  const connections = [1, 2].map(() => ({
    ...connectForTests().connection,
    push: (ids: readonly string[], results: readonly Uint8Array[]) => void pushed.push([ids, results]),
  }))
  const criteria = () => logFilterFrom({ address: [`0x${'1'.repeat(40)}`] })
  for (const connection of connections) {
    for (let i = 0; i < 3; i++) subscriptions.add(connection, { kind: 'logs', criteria: criteria(), full: false })
  }
  subscriptions.publish({
    kind: 'logs',
    logs: [{ address: `0x${'1'.repeat(40)}`, topics: [], data: '0x' } as unknown as RpcLog],
  })
  expect(pushed.map(([ids]) => ids.length)).toEqual([3, 3])
  expect(pushed[0]![1][0]).toBe(pushed[1]![1][0])
})

test('a subscriber to pending transactions gets hashes, or the whole transactions that are known', () => {
  const subscriptions = createSubscriptions(10, balances)
  const { connection, sent } = connectForTests()
  const kind = 'newPendingTransactions'
  const hashes = subscriptions.add(connection, { ...heads, kind })
  expect(subscriptions.wantsWhole(kind)).toBe(false)
  const whole = subscriptions.add(connection, { ...heads, kind, full: true })
  expect(subscriptions.wantsWhole(kind)).toBe(true)
  const transactions = [
    { hash: '0xaa', transaction: { hash: '0xaa', nonce: '0x1' } },
    { hash: '0xbb', transaction: undefined },
  ] as const
  subscriptions.publish({ kind, transactions })
  expect(sent).toEqual([
    { subscription: hashes, result: '0xaa' },
    { subscription: hashes, result: '0xbb' },
    { subscription: whole, result: { hash: '0xaa', nonce: '0x1' } },
  ])
})
