// Filters that clients poll. Each stores results since the last poll; one that is not polled, or stores too much, is removed.
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { logFilterFrom } from '../../src/chain/rpc/log-filter.ts'
import * as wire from '../../src/contract/rpc-params.ts'
import type { ChainEvent, DevnetChain } from '../chain/chain.ts'
import { overLimit } from './failures.ts'

const MAX_FILTERS = 1_000
const MAX_RESULTS = 20_000
const LIFE_MS = 5 * 60_000

export type FilterRequest = {
  /** The results that an event adds. */
  readonly resultsOf: (event: ChainEvent) => readonly unknown[]
  /** For log filters: the query. */
  readonly query?: LogQuery
}

export type Filters = {
  add(request: FilterRequest): Hex
  /** The results since the last poll; null if there is no such filter. */
  take(id: Hex): readonly unknown[] | null
  queryOf(id: Hex): LogQuery | null
  remove(id: Hex): boolean
  stop(): void
}

type Filter = FilterRequest & { results: unknown[]; usedAtMs: number }

export function createFilters(chain: Pick<DevnetChain, 'on'>, nowMs: () => number = Date.now): Filters {
  const filters = new Map<Hex, Filter>()
  const forgetIdle = () => {
    for (const [id, { usedAtMs }] of filters) if (nowMs() - usedAtMs > LIFE_MS) filters.delete(id)
  }
  const stop = chain.on((event) => {
    if (event.type === 'head') forgetIdle()
    for (const [id, filter] of filters) {
      filter.results.push(...filter.resultsOf(event))
      if (filter.results.length > MAX_RESULTS) filters.delete(id)
    }
  })
  return {
    add(request) {
      forgetIdle()
      if (filters.size >= MAX_FILTERS) throw overLimit(`at most ${MAX_FILTERS} filters at a time`)
      const id = bytesToHex(randomBytes(16))
      filters.set(id, { ...request, results: [], usedAtMs: nowMs() })
      return id
    },
    take(id) {
      const filter = filters.get(id)
      if (filter === undefined) return null
      const { results } = filter
      filter.results = []
      filter.usedAtMs = nowMs()
      return results
    },
    queryOf: (id) => filters.get(id)?.query ?? null,
    remove: (id) => filters.delete(id),
    stop,
  }
}

export const logCriteria = wire.logCriteria.transform(logFilterFrom)

export const logQuery = wire.logQuery.transform(({ fromBlock, toBlock, blockHash, ...criteria }) => ({
  ...{ fromBlock, toBlock, blockHash: (blockHash ?? null) as Hex | null },
  ...logFilterFrom(criteria),
}))

export type LogQuery = z.output<typeof logQuery>
