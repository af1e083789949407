import { describe, expect, test } from 'vitest'
import { wordToHex } from '../../src/chain/bytes/hex.ts'
import { logQuery } from './log-query.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const TOPIC = wordToHex(7n)

describe('a query for logs', () => {
  test('a query for logs takes one address or several, and a topic or several', () => {
    expect(logQuery.parse({ address: ADDRESS }).addresses).toEqual(new Set([BigInt(ADDRESS)]))
    expect(logQuery.parse({ address: [ADDRESS, `0x${'cd'.repeat(20)}`] }).addresses?.size).toBe(2)
    expect(logQuery.parse({ topics: [null, TOPIC, [TOPIC]] }).topics).toEqual([null, new Set([7n]), new Set([7n])])
  })

  test.each([
    ['five topics', { topics: [null, null, null, null, null] }],
    ['a short topic', { topics: ['0x1'] }],
    ['a block hash beside a range', { blockHash: TOPIC, fromBlock: '0x1' }],
    ['no object', 'logs'],
  ])('a query for logs refuses %s', (_, query) => expect(logQuery.safeParse(query).success).toBe(false))
})
