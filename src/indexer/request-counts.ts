// How the requests to the node went, counted where they are made and told now and then.
import type { NodeObserver } from '../upstream/node/endpoint.ts'

export type RequestCount = Omit<Parameters<NodeObserver>[0], 'ms'> & {
  readonly count: number
  readonly seconds: number
}

export type RequestCounter = {
  readonly observe: NodeObserver
  /** What was counted since this was asked for last. */
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
