import { expect, test } from 'vitest'
import { ANY_LOG, logFilterFrom } from '../../chain/rpc/log-filter.ts'
import type { RpcLog } from '../../chain/rpc/types.ts'
import type { RpcConnection } from '../state/scope.ts'
import { createSubscriptions, type NewTransaction, type Subscription } from './subscriptions.ts'

const heads: Subscription = { kind: 'newHeads', criteria: ANY_LOG, full: false }

function connect(accepts = () => true) {
  const closing = new AbortController()
  const sent: { readonly subscription: string; readonly result: unknown }[] = []
  const connection: RpcConnection = {
    send(text) {
      sent.push(JSON.parse(text).params)
      return accepts()
    },
    closed: closing.signal,
  }
  return { connection, sent, close: () => closing.abort() }
}

test('an event goes to the subscriptions of its kind only', () => {
  const subscriptions = createSubscriptions(10)
  const { connection, sent } = connect()
  const id = subscriptions.add(connection, heads)
  subscriptions.add(connection, { ...heads, kind: 'newFlashblocks' })
  subscriptions.publish({ kind: 'newHeads', text: '{"number":"0x1"}' })
  expect(sent).toEqual([{ subscription: id, result: { number: '0x1' } }])
})

test('a subscriber to transactions gets hashes, or whole transactions if it asked for them', () => {
  const subscriptions = createSubscriptions(10)
  const { connection, sent } = connect()
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
  const subscriptions = createSubscriptions(10)
  const { connection, sent } = connect()
  const [watched, elsewhere] = [1, 2].map((digit) => `0x${String(digit).repeat(40)}`)
  subscriptions.add(connection, { ...heads, kind: 'logs', criteria: logFilterFrom({ address: [watched!] } as never) })
  const logs = [watched, elsewhere].map((address) => ({ address, topics: [], data: '0x' }) as unknown as RpcLog)
  subscriptions.publish({ kind: 'logs', logs })
  expect(sent.map(({ result }) => (result as RpcLog).address)).toEqual([watched])
})

test('one past the limit of subscriptions on a connection is refused', () => {
  const subscriptions = createSubscriptions(1)
  const { connection } = connect()
  subscriptions.add(connection, heads)
  expect(() => subscriptions.add(connection, heads)).toThrow('more than 1 subscriptions')
  expect(() => subscriptions.add(connect().connection, heads)).not.toThrow()
})

test('events of a kind are wanted until the last subscription to it is removed or its connection closed', () => {
  const subscriptions = createSubscriptions(10)
  const [one, other] = [connect(), connect()]
  const id = subscriptions.add(one.connection, heads)
  subscriptions.add(other.connection, heads)
  expect(subscriptions.remove(other.connection, id)).toBe(false)
  expect(subscriptions.remove(one.connection, id)).toBe(true)
  expect(subscriptions.wants('newHeads')).toBe(true)
  other.close()
  expect(subscriptions.wants('newHeads')).toBe(false)
})

test('a connection that closed before its request was answered gets no subscription', () => {
  const subscriptions = createSubscriptions(10)
  const { connection, close } = connect()
  close()
  subscriptions.add(connection, heads)
  expect(subscriptions.wants('newHeads')).toBe(false)
})

test('a connection that does not take an event gets no more of them', () => {
  const subscriptions = createSubscriptions(10)
  const { connection, sent } = connect(() => false)
  subscriptions.add(connection, heads)
  for (let i = 0; i < 2; i++) subscriptions.publish({ kind: 'newHeads', text: '1' })
  expect(sent).toHaveLength(1)
})
