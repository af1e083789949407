// The arithmetic of a token bucket: `perSecond` tokens are added, up to `burst`.
export type BucketRule = { perSecond: number; burst: number }
export type Bucket = { tokens: number; atMs: number }

export function fullBucket({ burst }: BucketRule, nowMs: number): Bucket {
  return { tokens: burst, atMs: nowMs }
}

/** Clocks of machines that share a bucket may differ by this much; whoever is behind adds nothing. */
const CLOCKS_DIFFER_MS = 10_000

/** The bucket at the given time. A clock that was set back adds nothing and counts from its new time on. */
export function refilled(bucket: Bucket, { perSecond, burst }: BucketRule, nowMs: number): Bucket {
  return {
    tokens: Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond),
    atMs: nowMs < bucket.atMs - CLOCKS_DIFFER_MS ? nowMs : Math.max(nowMs, bucket.atMs),
  }
}

/** Seconds until the bucket holds `tokens` again, rounded up. */
export function secondsUntil(bucket: Bucket, { perSecond }: BucketRule, tokens: number): number {
  return Math.max(0, Math.ceil((tokens - bucket.tokens) / perSecond))
}
