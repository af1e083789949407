// Histograms of times that can be added up: exact below 64 ms, within three per cent above. They are sparse, so that few values cost few
// entries, and plain data, so that they can be stored and sent.

/** The number of values in each bucket that has any. */
export type Histogram = Readonly<Record<number, number>>

export const EMPTY_HISTOGRAM: Histogram = {}

export function histogramOf(values: readonly number[]): Histogram {
  const counts: Record<number, number> = {}
  for (const value of values) {
    const bucket = bucketOf(value)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

export function histogramSum(all: readonly Histogram[]): Histogram {
  const counts: Record<string, number> = {}
  for (const each of all) for (const bucket in each) counts[bucket] = (counts[bucket] ?? 0) + each[bucket as never]!
  return counts
}

/** Subtracts a histogram that was added before. */
export function histogramWithout(one: Histogram, other: Histogram): Histogram {
  const counts: Record<string, number> = { ...one }
  for (const bucket in other) {
    const left = (counts[bucket] ?? 0) - other[bucket as never]!
    if (left > 0) counts[bucket] = left
    else delete counts[bucket]
  }
  return counts
}

export function countIn(histogram: Histogram): number {
  return Object.values(histogram).reduce((sum, count) => sum + count, 0)
}

/** The value that a share of all values (from 0 to 1) does not exceed; null where there are none. */
export function quantileOf(histogram: Histogram, share: number): number | null {
  const total = countIn(histogram)
  if (total === 0) return null
  // Integer keys of an object come in ascending order.
  let left = Math.max(1, Math.ceil(share * total))
  for (const [bucket, count] of Object.entries(histogram)) {
    left -= count
    if (left <= 0) return largestIn(Number(bucket))
  }
  return null
}

const EXACT_BELOW = 64
/** Buckets in each doubling above that. */
const STEPS = 32
const EXACT_BITS = Math.log2(EXACT_BELOW)
const STEP_BITS = Math.log2(STEPS)

export function bucketOf(value: number): number {
  const whole = Math.min(Math.max(0, Math.round(value)), MOST)
  if (whole < EXACT_BELOW) return whole
  const bits = Math.floor(Math.log2(whole))
  const step = Math.floor(whole / 2 ** (bits - STEP_BITS)) - STEPS
  return EXACT_BELOW + (bits - EXACT_BITS) * STEPS + step
}

/** The largest value that falls into a bucket. */
export function largestIn(bucket: number): number {
  if (bucket < EXACT_BELOW) return bucket
  const bits = EXACT_BITS + Math.floor((bucket - EXACT_BELOW) / STEPS)
  const step = (bucket - EXACT_BELOW) % STEPS
  return (STEPS + step + 1) * 2 ** (bits - STEP_BITS) - 1
}

/** Twelve days in milliseconds. */
const MOST = 2 ** 30
