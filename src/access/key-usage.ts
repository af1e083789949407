// Counts requests of each key. A request changes a number in memory; the counts are written to the store in batches, and stay in memory
// while the store fails.
import type { KeyUsageStore, KeyUse } from '../store/keys/key-usage.ts'

export type KeyUsage = {
  count: (keyId: string, route: string) => void
  /** Writes the counts since the last call; they stay in memory if that fails. */
  flush: () => Promise<void>
  /** Sums for each of these keys in the last days, including what was not written yet. */
  sums: (keyIds: readonly string[], days: number) => Promise<ReadonlyMap<string, { requests: number; lastMs: number }>>
  /** Usage of one key in the last days, newest day first. */
  ofKey: (keyId: string, days: number) => Promise<KeyUse[]>
  /** Deletes what is older than RETENTION_DAYS. */
  prune: () => Promise<number>
}

export const RETENTION_DAYS = 90
const DAY_MS = 86_400_000
/** Pairs of key and route between two batches. Further pairs are not counted until the next batch. */
const MAX_COUNTED = 50_000

type Counted = { keyId: string; day: number; route: string; requests: number; lastMs: number }

export function createKeyUsage({ store, nowMs }: { store: KeyUsageStore; nowMs: () => number }): KeyUsage {
  let counted = new Map<string, Counted>()
  let flushing: Promise<void> | undefined

  const add = (use: Counted): void => {
    const name = `${use.keyId} ${use.day} ${use.route}`
    const known = counted.get(name)
    if (!known) {
      if (counted.size < MAX_COUNTED) counted.set(name, use)
      return
    }
    known.requests += use.requests
    known.lastMs = Math.max(known.lastMs, use.lastMs)
  }
  const dayAgo = (days: number): number => Math.floor(nowMs() / DAY_MS) - days + 1

  const writeBatch = async (): Promise<void> => {
    const batch = [...counted.values()]
    counted = new Map()
    try {
      await store.add(batch)
    } catch (error) {
      for (const use of batch) add(use)
      throw error
    }
  }
  const flush = async (): Promise<void> => {
    if (counted.size === 0) return
    flushing ??= writeBatch().finally(() => {
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
