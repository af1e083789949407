import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bloomOfLogs } from '../../chain/bloom.ts'
import { EMPTY_BYTES, wordToHex } from '../../chain/hex.ts'
import { logQuery, matches, mayMatch } from './log-query.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const TOPIC = wordToHex(7n)

describe('a query for logs', () => {
  it('takes one address or several, and anything for null or an empty list', () => {
    expect(logQuery.parse({ address: ADDRESS }).addresses).toEqual([BigInt(ADDRESS)])
    expect(logQuery.parse({ address: [ADDRESS, ADDRESS] }).addresses).toHaveLength(2)
    expect(logQuery.parse({ address: [], topics: [null, [], TOPIC] })).toMatchObject({
      addresses: null,
      topics: [null, null, [7n]],
    })
  })

  it.each([
    ['five topics', { topics: [null, null, null, null, null] }],
    ['a short topic', { topics: ['0x1'] }],
    ['a block hash beside a range', { blockHash: TOPIC, fromBlock: '0x1' }],
    ['no object', 'logs'],
  ])('refuses %s', (_, query) => expect(logQuery.safeParse(query).success).toBe(false))

  it('wants every topic at its place, and a log may have more', () => {
    const log = { address: 1n, topics: [1n, 2n, 3n], data: EMPTY_BYTES }
    const ofTopics = (...topics: (bigint[] | null)[]) => matches({ addresses: null, topics }, log)
    expect(ofTopics()).toBe(true)
    expect(ofTopics(null, [9n, 2n])).toBe(true)
    expect(ofTopics([2n])).toBe(false)
    expect(ofTopics(null, null, null, null)).toBe(false)
    expect(matches({ addresses: [2n, 1n], topics: [] }, log)).toBe(true)
    expect(matches({ addresses: [2n], topics: [] }, log)).toBe(false)
  })

  it('never skips a block that has a match', () => {
    const small = fc.bigInt(0n, 5n)
    const log = fc.record({ address: small, topics: fc.array(small, { maxLength: 4 }), data: fc.constant(EMPTY_BYTES) })
    const someOf = fc.option(fc.array(small, { minLength: 1, maxLength: 3 }))
    const criteria = fc.record({ addresses: someOf, topics: fc.array(someOf, { maxLength: 4 }) })
    fc.assert(
      fc.property(criteria, fc.array(log, { maxLength: 3 }), (wanted, logs) => {
        const hasMatch = logs.some((each) => matches(wanted, each))
        return !hasMatch || mayMatch(wanted, bloomOfLogs(logs))
      }),
    )
  })
})
