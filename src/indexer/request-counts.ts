// Counts requests to the node in the indexer's thread, to be reported to the main thread from time to time.
import type { NodeObserver } from '../upstream/node/endpoint.ts'

export type RequestCount = Omit<Parameters<NodeObserver>[0], 'ms'> & {
  readonly count: number
  readonly seconds: number
}

export type RequestCounter = {
  readonly observe: NodeObserver
  /** Returns the counts since the last call. */
  take(): RequestCount[]
}

export function createRequestCounter(): RequestCounter {
  let counts = new Map<string, RequestCount>()
  return {
    observe({ ms, ...kind }) {
      const key = `${kind.url} ${kind.method} ${kind.outcome}`
      const { count = 0, seconds = 0 } = counts.get(key) ?? {}
      counts.set(key, { ...kind, count: count + 1, seconds: seconds + ms / 1000 })
    },
    take() {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
  }
}
