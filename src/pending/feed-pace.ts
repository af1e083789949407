// How often the feed brings something new, and when it is overdue.

export type FeedPace = {
  /** When something new was last served; null before the first time. */
  readonly advancedMs: number | null
  /** Smoothed; null before the second. */
  readonly intervalMs: number | null
}

export function advancedPace({ advancedMs, intervalMs }: FeedPace, nowMs: number): FeedPace {
  if (advancedMs === null) return { advancedMs: nowMs, intervalMs }
  // A pause is no interval: an hour of silence must not make an hour the measure.
  const latest = Math.min(nowMs - advancedMs, LONGEST_INTERVAL_MS)
  const smoothed = intervalMs === null ? latest : intervalMs * (1 - NEWEST_SHARE) + latest * NEWEST_SHARE
  return { advancedMs: nowMs, intervalMs: smoothed }
}

/** `staleMs` null: by what was observed. */
export function isLate({ advancedMs, intervalMs }: FeedPace, staleMs: number | null, nowMs: number): boolean {
  if (advancedMs === null) return true
  const timeoutMs = staleMs ?? Math.max(SHORTEST_TIMEOUT_MS, INTERVALS_UNTIL_LATE * (intervalMs ?? 0))
  return nowMs - advancedMs > timeoutMs
}

const NEWEST_SHARE = 0.1
const LONGEST_INTERVAL_MS = 2_000
const SHORTEST_TIMEOUT_MS = 2_000
const INTERVALS_UNTIL_LATE = 3
