// Rate limits per key and per client address, as token buckets. One process counts in memory. Several processes that share a database take
// tokens from it in batches and spend them locally, so together they never exceed the rule.
import { LRUCache } from 'lru-cache'
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

export type RateLimiter = {
  /** Passes while there is a token. A request that costs several may owe them; then the next ones wait until they are there. */
  take: (name: string, tokens?: number) => Allowance | Promise<Allowance>
}

/** When there are more clients than this, the oldest buckets are dropped and start full again. */
const MAX_BUCKETS = 100_000
/** The size of a batch, as a share of the burst. */
const BATCH_SHARE = 1 / 20

export function createLocalLimiter(rule: BucketRule, nowMs: () => number): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS })
  return {
    take: (name, tokens = 1) => {
      const now = nowMs()
      let bucket = buckets.get(name)
      if (bucket) Object.assign(bucket, refilled(bucket, rule, now))
      else {
        bucket = fullBucket(rule, now)
        buckets.set(name, bucket)
      }
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= Math.min(tokens, rule.burst)
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
  const batch = Math.max(1, Math.floor(rule.burst * BATCH_SHARE))
  type LocalTokens = { tokens: number; left: number; taking: Promise<number> | undefined }
  const localTokens = new LRUCache<string, LocalTokens>({ max: MAX_BUCKETS })

  /** Returns how many tokens the next batch had. Requests that wait at the same time share one batch. */
  const nextBatch = (name: string, mine: LocalTokens): Promise<number> => {
    mine.taking ??= store
      .take(`${scope}:${name}`, rule, batch, nowMs())
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
    take: async (name, tokens = 1) => {
      let mine = localTokens.get(name)
      if (!mine) {
        mine = { tokens: 0, left: rule.burst, taking: undefined }
        localTokens.set(name, mine)
      }
      // Other requests may spend the batch first, so this tries again; a batch without tokens means that the bucket is empty.
      while (mine.tokens < 1 && (await nextBatch(name, mine)) > 0);
      const allowed = mine.tokens >= 1
      if (allowed) mine.tokens -= Math.min(tokens, rule.burst)
      return allowance(rule, { tokens: mine.tokens + mine.left, atMs: nowMs() }, allowed)
    },
  }
}

function allowance(rule: BucketRule, bucket: Bucket, allowed: boolean): Allowance {
  return {
    allowed,
    limit: rule.burst,
    remaining: Math.max(0, Math.floor(bucket.tokens)),
    resetS: secondsUntil(bucket, rule, rule.burst),
    retryAfterS: allowed ? 0 : Math.max(1, secondsUntil(bucket, rule, 1)),
  }
}
