// Rate limits that several processes share, as token buckets in the database. A process takes tokens in batches, so it needs one query per
// batch.
import { type BucketRule, fullBucket, refilled } from '../../lib/numbers/token-bucket.ts'
import type { Database } from '../engine/database.ts'

export type RateBucketStore = {
  /** Returns how many of the wanted tokens were granted, and how many are left. */
  take: (name: string, rule: BucketRule, wanted: number, nowMs: number) => Promise<{ granted: number; left: number }>
  /** Deletes buckets that nobody used since; they are full again anyway. Scans the table, which is small. */
  prune: (beforeMs: number) => Promise<number>
}

/** Another process may change the bucket between our read and our write; after this many times no token is granted. */
const MAX_TRIES = 10

type BucketRow = { tokens: number; atMs: number; version: number }

export function createRateBucketStore(database: Database): RateBucketStore {
  return {
    // By the primary key.
    take: async (name, rule, wanted, nowMs) => {
      for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
        const [row] = await database.all<BucketRow>(
          `select tokens, at_ms as "atMs", version
          from rate_buckets
          where name = $1`,
          [name],
        )
        const bucket = row ? refilled(row, rule, nowMs) : fullBucket(rule, nowMs)
        const granted = Math.min(wanted, Math.floor(bucket.tokens))
        const left = bucket.tokens - granted
        const changed = row
          ? await database.run(
              `update rate_buckets
              set tokens = $2, at_ms = $3, version = version + 1
              where name = $1 and version = $4`,
              [name, left, bucket.atMs, row.version],
            )
          : await database.run(
              `insert into rate_buckets (name, tokens, at_ms, version)
              values ($1, $2, $3, 0)
              on conflict (name) do nothing`,
              [name, left, bucket.atMs],
            )
        if (changed === 1) return { granted, left }
      }
      return { granted: 0, left: 0 }
    },
    prune: (beforeMs) =>
      database.run(
        `delete from rate_buckets
        where at_ms < $1`,
        [beforeMs],
      ),
  }
}
