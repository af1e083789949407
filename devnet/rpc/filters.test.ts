import { beforeEach, describe, expect, test } from 'vitest'
import type { ChainEvent } from '../chain/chain.ts'
import { createFilters, type Filters } from './filters.ts'

const HEAD: ChainEvent = { type: 'head', added: [], removed: [] }
const MINUTE_MS = 60_000

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

  test('give what happened since the last time, each on its own', () => {
    const first = filters.add({ news: () => ['news'] })
    emit(HEAD)
    const second = filters.add({ news: () => ['other'] })
    emit(HEAD)
    expect(filters.take(first)).toEqual(['news', 'news'])
    expect(filters.take(first)).toEqual([])
    expect(filters.take(second)).toEqual(['other'])
  })

  test('live on while somebody asks, and five minutes longer', () => {
    const id = filters.add({ news: () => [] })
    for (let minute = 0; minute < 10; minute++) {
      nowMs += 4 * MINUTE_MS
      emit(HEAD)
      expect(filters.take(id)).toEqual([])
    }
    nowMs += 5 * MINUTE_MS + 1
    emit(HEAD)
    expect(filters.take(id)).toBeNull()
  })

  test('go when they hold too much', () => {
    const id = filters.add({ news: () => Array(10_000).fill('news') })
    emit(HEAD)
    emit(HEAD)
    emit(HEAD)
    expect(filters.take(id)).toBeNull()
  })

  test('are refused past a thousand', () => {
    for (let count = 0; count < 1_000; count++) filters.add({ news: () => [] })
    expect(() => filters.add({ news: () => [] })).toThrow('at most 1000 filters')
  })
})
