import { expect, test } from 'vitest'
import { hexOf } from '../../test/support/chain-rows.ts'
import type { PoolTransaction } from '../chain/rpc/pool-transaction.ts'
import { createTransactionPool } from './transaction-pool.ts'

function transaction(number: number): PoolTransaction {
  return {
    hash: hexOf(32, number),
    sender: hexOf(20, 1),
    recipient: hexOf(20, 2),
    value: 0n,
    nonce: number,
    type: 2,
    gasLimit: 21_000,
    gasPrice: 1n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    method: '0x',
    input: '0x',
  }
}

const [one, two, three] = [transaction(1), transaction(2), transaction(3)]
const content = (...transactions: PoolTransaction[]) => ({ type: 'content', transactions }) as const

test('a pool that the node has not shown, or does not show any more, says that transactions may be missing', () => {
  const pool = createTransactionPool()
  expect(pool.missing()).toBe('the node has not shown its pool yet')
  pool.read(content(one), 1)
  expect(pool.missing()).toBeUndefined()
  pool.read({ type: 'hidden', reason: 'the node does not answer' }, 2)
  expect(pool.missing()).toBe('the node does not answer')
  // It may be there still, which only its hash can confirm.
  expect(pool.addedAlone().map(({ hash }) => hash)).toEqual([one.hash])
})

test('what the pool shows no more has left it, and what was sent through us stays until its hash is unknown', () => {
  const pool = createTransactionPool()
  pool.add(two, 1)
  pool.read(content(one), 2)
  pool.read(content(three), 3)
  expect(pool.waiting().map(({ hash }) => hash)).toEqual([three.hash, two.hash])
  pool.remove([two.hash])
  expect(pool.get(two.hash)).toBeUndefined()
})

test('a transaction has the number and the time of its first sight, also after it left and came back', () => {
  const pool = createTransactionPool()
  pool.read(content(one, two), 1)
  pool.read(content(two), 2)
  expect(pool.seenBefore(2).map(({ number, hash }) => [number, hash])).toEqual([[1, one.hash]])
  pool.read(content(two, one), 3)
  expect(pool.get(one.hash)).toMatchObject({ number: 1, seenMs: 1 })
})

test('each transaction is looked for once in each version of the index', () => {
  const pool = createTransactionPool()
  pool.read(content(one, two), 1)
  pool.checked('a', [one.hash])
  expect(pool.uncheckedIn('a')).toEqual([two.hash])
  expect(pool.uncheckedIn('b')).toEqual([one.hash, two.hash])
})
