// Token buckets per key and per client address. One process counts in memory; several that share a database take
// tokens from it in lots and spend them locally, so their sum never exceeds the rule.
import { createLru } from '../lib/cache/lru.ts'
import { type Bucket, type BucketRule, fullBucket, refilled, secondsUntil } from '../lib/numbers/token-bucket.ts'
import type { RateBucketStore } from '../store/keys/rate-buckets.ts'

export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the bucket is full again. */
  resetS: number
  /** Seconds until the next request can pass. */
  retryAfterS: number
}

export type RateLimiter = { take: (name: string) => Allowance | Promise<Allowance> }

/** More clients than this at once are not told apart for long. */
const BUCKETS_IN_MEMORY = 100_000
/** A lot is this part of the burst. */
const LOT = 1 / 20

export function createLocalLimiter(rule: BucketRule, nowMs: () => number): RateLimiter {
  const buckets = createLru<string, Bucket>(BUCKETS_IN_MEMORY)
  return {
    take: (name) => {
      const now = nowMs()
      let bucket = buckets.get(name)
      if (bucket) Object.assign(bucket, refilled(bucket, rule, now))
      else {
        bucket = fullBucket(rule, now)
        buckets.set(name, bucket)
      }
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      return allowance(rule, bucket, allowed)
    },
  }
}

export function createSharedLimiter(options: {
  scope: string
  rule: BucketRule
  store: RateBucketStore
  nowMs: () => number
}): RateLimiter {
  const { scope, rule, store, nowMs } = options
  const lot = Math.max(1, Math.floor(rule.burst * LOT))
  type Held = { tokens: number; left: number; taking: Promise<number> | undefined }
  const held = createLru<string, Held>(BUCKETS_IN_MEMORY)

  /** How many tokens the next lot brought. Requests that wait at the same time wait for the same lot. */
  const nextLot = (name: string, mine: Held): Promise<number> => {
    mine.taking ??= store
      .take(`${scope}:${name}`, rule, lot, nowMs())
      .then(({ granted, left }) => {
        mine.tokens += granted
        mine.left = left
        return granted
      })
      .finally(() => {
        mine.taking = undefined
      })
    return mine.taking
  }

  return {
    take: async (name) => {
      let mine = held.get(name)
      if (!mine) {
        mine = { tokens: 0, left: rule.burst, taking: undefined }
        held.set(name, mine)
      }
      // A lot can be spent by others before our turn comes; the bucket is empty when it brings nothing.
      while (mine.tokens < 1 && (await nextLot(name, mine)) > 0);
      const allowed = mine.tokens >= 1
      if (allowed) mine.tokens -= 1
      return allowance(rule, { tokens: mine.tokens + mine.left, atMs: nowMs() }, allowed)
    },
  }
}

function allowance(rule: BucketRule, bucket: Bucket, allowed: boolean): Allowance {
  return {
    allowed,
    limit: rule.burst,
    remaining: Math.floor(bucket.tokens),
    resetS: secondsUntil(bucket, rule, rule.burst),
    retryAfterS: allowed ? 0 : Math.max(1, secondsUntil(bucket, rule, 1)),
  }
}
