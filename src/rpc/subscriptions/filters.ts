// Filters that clients poll: subscriptions without a connection. Each stores results since the last poll. One that nobody polls, or that
// stores too much, is removed; its client is answered that there is no such filter, and makes a new one.
import { randomUUID } from 'node:crypto'
import type { LogQuery } from '../../contract/rpc-params.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import { type JsonRpcError, limitExceeded } from '../../lib/json/json-rpc.ts'
import type { EventText } from '../state/scope.ts'
import type { Subscription, Subscriptions } from './subscriptions.ts'

const MAX_FILTERS = 1_000
const MAX_FILTERS_OF_ONE = 100
const MAX_RESULTS = 10_000
const LIFE_MS = 5 * 60_000

export type Filters = {
  /** `client` is the one who asks, as in Caller. */
  add(client: string, subscription: Subscription, options?: FilterOptions): string
  /** The results since the last poll. */
  take(id: string): readonly unknown[]
  /** Throws if the filter is not one of logs. */
  queryOf(id: string): FilterQuery
  remove(id: string): boolean
}

export type FilterOptions = {
  /** Of a filter for logs. */
  readonly query?: FilterQuery
  /** What a client gets of a result; by default the result itself. */
  readonly view?: (result: unknown) => unknown
}

/** What `eth_getLogs` takes, checked and as the client sent it. */
export type FilterQuery = { readonly checked: LogQuery; readonly raw: unknown }

type Filter = FilterOptions & { readonly client: string; results: EventText[]; usedAtMs: number; end(): void }

export function createFilters(subscriptions: Subscriptions, nowMs: () => number = () => performance.now()): Filters {
  const filters = new Map<string, Filter>()
  const remove = (id: string): boolean => {
    filters.get(id)?.end()
    return filters.delete(id)
  }
  const removeIdle = (): void => {
    for (const [id, { usedAtMs }] of filters) if (nowMs() - usedAtMs > LIFE_MS) remove(id)
  }
  /** There are few enough filters to count them. */
  const countOf = (client: string): number =>
    filters
      .values()
      .filter((each) => each.client === client)
      .toArray().length
  const find = (id: string): Filter => {
    removeIdle()
    const filter = filters.get(id)
    if (filter === undefined) throw notFound()
    filter.usedAtMs = nowMs()
    return filter
  }
  return {
    add(client, subscription, options = {}) {
      removeIdle()
      if (filters.size >= MAX_FILTERS) throw limitExceeded(`more than ${MAX_FILTERS} filters`)
      if (countOf(client) >= MAX_FILTERS_OF_ONE) {
        throw limitExceeded(
          `more than ${MAX_FILTERS_OF_ONE} filters of this client; remove one with eth_uninstallFilter`,
        )
      }
      const id = `0x${randomUUID().replaceAll('-', '')}`
      const end = subscriptions.collect(subscription, (results) => {
        const filter = filters.get(id)!
        filter.results.push(...results)
        if (filter.results.length > MAX_RESULTS || nowMs() - filter.usedAtMs > LIFE_MS) remove(id)
      })
      filters.set(id, { ...options, client, results: [], usedAtMs: nowMs(), end })
      return id
    },
    take(id) {
      const filter = find(id)
      const { results, view = (result) => result } = filter
      filter.results = []
      return results.map((result) => view(JSON.parse(utf8.decode(result))))
    },
    queryOf(id) {
      const { query } = find(id)
      if (query === undefined) throw notFound()
      return query
    },
    remove,
  }
}

/** geth's words, which clients compare. */
function notFound(): JsonRpcError {
  return serverError('filter not found')
}

const utf8 = new TextDecoder()
