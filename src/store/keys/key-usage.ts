// How often each API key is used. Every process adds its counts in batches.
import type { Database } from '../engine/database.ts'
import { inList } from '../read/page.ts'
import { createTable, integer, text } from '../schema/table.ts'

export type KeyUse = {
  readonly keyId: string
  /** Days since 1970, UTC. */
  readonly day: number
  readonly route: string
  readonly requests: number
  readonly lastMs: number
}

export type KeyUseSum = { readonly keyId: string; readonly requests: number; readonly lastMs: number }

export type KeyUsageStore = {
  add: (uses: readonly KeyUse[]) => Promise<void>
  /** Sums for each of these keys since the day; unused keys are left out. */
  sums: (keyIds: readonly string[], sinceDay: number) => Promise<KeyUseSum[]>
  /** Usage of one key since the day, newest day first. */
  ofKey: (keyId: string, sinceDay: number) => Promise<KeyUse[]>
  /** Index key_usage_day. */
  prune: (beforeDay: number) => Promise<number>
}

/** Enough for three months of every route. */
const MAX_ROWS = 10_000

const uses = createTable<KeyUse>('key_usage', {
  keyId: text,
  day: integer,
  route: text,
  requests: integer,
  lastMs: integer,
})

const ADD_TO_STORED = `(key_id, day, route) do update set
  requests = key_usage.requests + excluded.requests,
  last_ms = case when excluded.last_ms > key_usage.last_ms then excluded.last_ms else key_usage.last_ms end`

export function createKeyUsageStore(database: Database): KeyUsageStore {
  return {
    // All or none: when it fails the caller adds the same counts again.
    add: (counted) =>
      database.transaction((queries) =>
        queries.insert(
          uses,
          counted.map((use) => uses.encode(use)),
          ADD_TO_STORED,
        ),
      ),
    sums: async (keyIds, sinceDay) => {
      if (keyIds.length === 0) return []
      const { marks, values } = inList(keyIds, 2)
      // By the primary key.
      return database.all<KeyUseSum>(
        `select key_id as "keyId", cast(sum(requests) as bigint) as requests, max(last_ms) as "lastMs"
        from key_usage
        where day >= $1 and key_id in (${marks})
        group by key_id
        limit ${keyIds.length}`,
        [sinceDay, ...values],
      )
    },
    ofKey: async (keyId, sinceDay) => {
      // By the primary key.
      const rows = await database.all(
        `select ${uses.select()}
        from key_usage
        where key_id = $1 and day >= $2
        order by day desc, requests desc, route
        limit ${MAX_ROWS}`,
        [keyId, sinceDay],
      )
      return rows.map((row) => uses.decode(row))
    },
    prune: (beforeDay) =>
      database.run(
        `delete from key_usage
        where day < $1`,
        [beforeDay],
      ),
  }
}
