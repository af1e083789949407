// Counts what keys are used for. A request costs a number in memory; what was counted goes to the store in lots, and stays here
// while the store does not take it.
import type { KeyUsageStore, KeyUse } from '../store/keys/key-usage.ts'

export type KeyUsage = {
  count: (keyId: string, route: string) => void
  /** Hands on what was counted since; keeps it where that fails. */
  flush: () => Promise<void>
  /** Of each of these keys in the last days, with what was not handed on yet. */
  sums: (keyIds: readonly string[], days: number) => Promise<ReadonlyMap<string, { requests: number; lastMs: number }>>
  /** Of one key in the last days, newest day first. */
  ofKey: (keyId: string, days: number) => Promise<KeyUse[]>
  /** Forgets what is older than KEPT_DAYS. */
  prune: () => Promise<number>
}

export const RETENTION_DAYS = 90
const DAY_MS = 86_400_000
/** Keys times routes between two lots. Past it what is new is counted with the next lot. */
const MOST_COUNTED = 50_000

type Counted = { keyId: string; day: number; route: string; requests: number; lastMs: number }

export function createKeyUsage({ store, nowMs }: { store: KeyUsageStore; nowMs: () => number }): KeyUsage {
  let counted = new Map<string, Counted>()
  let flushing: Promise<void> | undefined

  const add = (use: Counted): void => {
    const name = `${use.keyId} ${use.day} ${use.route}`
    const known = counted.get(name)
    if (!known) {
      if (counted.size < MOST_COUNTED) counted.set(name, use)
      return
    }
    known.requests += use.requests
    known.lastMs = Math.max(known.lastMs, use.lastMs)
  }
  const dayAgo = (days: number): number => Math.floor(nowMs() / DAY_MS) - days + 1

  const handOn = async (): Promise<void> => {
    const lot = [...counted.values()]
    counted = new Map()
    try {
      await store.add(lot)
    } catch (error) {
      for (const use of lot) add(use)
      throw error
    }
  }
  const flush = async (): Promise<void> => {
    if (counted.size === 0) return
    flushing ??= handOn().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  return {
    count: (keyId, route) => {
      const now = nowMs()
      add({ keyId, day: Math.floor(now / DAY_MS), route, requests: 1, lastMs: now })
    },
    flush,
    sums: async (keyIds, days) => {
      await flush()
      const sums = await store.sums(keyIds, dayAgo(days))
      return new Map(sums.map(({ keyId, requests, lastMs }) => [keyId, { requests, lastMs }]))
    },
    ofKey: async (keyId, days) => {
      await flush()
      return store.ofKey(keyId, dayAgo(days))
    },
    prune: () => store.prune(dayAgo(RETENTION_DAYS)),
  }
}
