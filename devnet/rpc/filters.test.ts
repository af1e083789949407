import { beforeEach, describe, expect, test } from 'vitest'
import { wordToHex } from '../../src/chain/bytes/hex.ts'
import type { ChainEvent } from '../chain/chain.ts'
import { createFilters, type Filters, logQuery } from './filters.ts'

const HEAD: ChainEvent = { type: 'head', added: [], removed: [] }
const MINUTE_MS = 60_000
const ADDRESS = `0x${'ab'.repeat(20)}`
const TOPIC = wordToHex(7n)

describe('filters', () => {
  let nowMs: number
  let emit: (event: ChainEvent) => void
  let filters: Filters
  beforeEach(() => {
    nowMs = 0
    const on = (listener: typeof emit) => {
      emit = listener
      return () => undefined
    }
    filters = createFilters({ on }, () => nowMs)
  })

  test('filters give what happened since the last time, each on its own', () => {
    const first = filters.add({ resultsOf: () => ['results'] })
    emit(HEAD)
    const second = filters.add({ resultsOf: () => ['other'] })
    emit(HEAD)
    expect(filters.take(first)).toEqual(['results', 'results'])
    expect(filters.take(first)).toEqual([])
    expect(filters.take(second)).toEqual(['other'])
  })

  test('live on while somebody asks, and five minutes longer', () => {
    const id = filters.add({ resultsOf: () => [] })
    for (let minute = 0; minute < 10; minute++) {
      nowMs += 4 * MINUTE_MS
      emit(HEAD)
      expect(filters.take(id)).toEqual([])
    }
    nowMs += 5 * MINUTE_MS + 1
    emit(HEAD)
    expect(filters.take(id)).toBeNull()
  })

  test('filters go when they hold too much', () => {
    const id = filters.add({ resultsOf: () => Array(10_000).fill('results') })
    emit(HEAD)
    emit(HEAD)
    emit(HEAD)
    expect(filters.take(id)).toBeNull()
  })

  test('filters are refused past a thousand', () => {
    for (let count = 0; count < 1_000; count++) filters.add({ resultsOf: () => [] })
    expect(() => filters.add({ resultsOf: () => [] })).toThrow('at most 1000 filters')
  })
})

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
