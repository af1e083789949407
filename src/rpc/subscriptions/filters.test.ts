import { expect, test } from 'vitest'
import { ANY_LOG } from '../../chain/rpc/log-filter.ts'
import { createWorkBalances } from '../state/client-work.ts'
import { createFilters } from './filters.ts'
import { createSubscriptions, type Subscription } from './subscriptions.ts'

const pending: Subscription = { kind: 'newPendingTransactions', criteria: ANY_LOG, full: false }

function start() {
  const subscriptions = createSubscriptions(10, createWorkBalances(null, Date.now))
  let nowMs = 0
  const filters = createFilters(subscriptions, () => nowMs)
  const announce = (...hashes: string[]) =>
    subscriptions.publish({
      kind: 'newPendingTransactions',
      transactions: hashes.map((hash) => ({ hash: hash as `0x${string}`, transaction: undefined })),
    })
  return { subscriptions, filters, announce, pass: (ms: number) => (nowMs += ms) }
}

test('a filter gives what is new since it was polled last, once', () => {
  const { filters, announce } = start()
  announce('0x01')
  const id = filters.add('ann', pending)
  announce('0x02', '0x03')
  expect(filters.take(id)).toEqual(['0x02', '0x03'])
  announce('0x04')
  expect(filters.take(id)).toEqual(['0x04'])
  expect(filters.take(id)).toEqual([])
})

test('a filter that was removed is not found, and nothing is wanted any more', () => {
  const { subscriptions, filters } = start()
  const id = filters.add('ann', pending)
  expect(subscriptions.wants('newPendingTransactions')).toBe(true)
  expect(filters.remove(id)).toBe(true)
  expect(filters.remove(id)).toBe(false)
  expect(() => filters.take(id)).toThrow('filter not found')
  expect(subscriptions.wants('newPendingTransactions')).toBe(false)
})

test('a filter that nobody polls for five minutes ends', () => {
  const { subscriptions, filters, announce, pass } = start()
  const [polled, idle] = [filters.add('ann', pending), filters.add('ann', pending)]
  pass(200_000)
  filters.take(polled)
  pass(200_000)
  announce('0x01')
  expect(filters.take(polled)).toEqual(['0x01'])
  expect(() => filters.take(idle)).toThrow('filter not found')
  expect(subscriptions.wants('newPendingTransactions')).toBe(true)
})

test('a filter that holds too many results ends', () => {
  const { filters, announce } = start()
  const id = filters.add('ann', pending)
  announce(...Array.from({ length: 10_001 }, (_, index) => `0x${index}`))
  expect(() => filters.take(id)).toThrow('filter not found')
})

test('a client with 100 filters gets no more until one of them ends, and others still do', () => {
  const { filters } = start()
  const [first] = Array.from({ length: 100 }, () => filters.add('ann', pending))
  expect(() => filters.add('ann', pending)).toThrow('more than 100 filters of this client')
  filters.add('bob', pending)
  filters.remove(first!)
  filters.add('ann', pending)
})

test('one past the limit of the filters of all clients is refused', () => {
  const { filters } = start()
  for (let i = 0; i < 1_000; i++) filters.add(`client ${i}`, pending)
  expect(() => filters.add('ann', pending)).toThrow('more than 1000 filters')
})
