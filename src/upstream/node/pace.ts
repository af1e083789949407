// How hard one URL is driven: exchanges at once, and calls in each. Grows by small steps while answers come quickly, and is halved when
// they do not come. Pure.
import type { ExchangeFailureKind } from './failures.ts'

export type Pace = {
  /** Fractions count: they grow to a whole one. */
  readonly concurrency: number
  readonly batch: number
  /** What the node allows, as far as it said. */
  readonly mostBatch: number
  /** What began before this was still driven the old way, and says nothing of the new one. */
  readonly slowedMs: number
}

export type PaceLimits = { readonly maxConcurrency: number; readonly maxBatch: number; readonly slowMs: number }

export type PaceEvent = { readonly startedMs: number; readonly endedMs: number; readonly calls: number } & (
  | { readonly type: 'answered' }
  | { readonly type: 'failed'; readonly kind: ExchangeFailureKind }
)

export function startingPace({ maxConcurrency, maxBatch }: PaceLimits): Pace {
  return {
    concurrency: Math.min(FIRST_CONCURRENCY, maxConcurrency),
    batch: Math.min(FIRST_BATCH, maxBatch),
    mostBatch: maxBatch,
    slowedMs: 0,
  }
}

export function paceAfter(pace: Pace, limits: PaceLimits, event: PaceEvent): Pace {
  if (event.type === 'answered') {
    if (event.endedMs - event.startedMs <= limits.slowMs) return faster(pace, limits, event.calls)
    return event.startedMs < pace.slowedMs ? pace : { ...pace, batch: halved(event.calls), slowedMs: event.endedMs }
  }
  if (event.startedMs < pace.slowedMs) return pace
  return {
    concurrency: Math.max(1, pace.concurrency / 2),
    batch: BLAMED_ON_SIZE.has(event.kind) ? halved(event.calls) : pace.batch,
    mostBatch: event.kind === 'batch refused' ? halved(event.calls) : pace.mostBatch,
    slowedMs: event.endedMs,
  }
}

/** Only an exchange that used the batch to the full shows that more would do. */
function faster(pace: Pace, limits: PaceLimits, calls: number): Pace {
  return {
    ...pace,
    concurrency: Math.min(limits.maxConcurrency, pace.concurrency + 1 / pace.concurrency),
    batch: calls >= Math.floor(pace.batch) ? Math.min(pace.mostBatch, pace.batch + BATCH_STEP) : pace.batch,
  }
}

function halved(calls: number): number {
  return Math.max(1, Math.floor(calls / 2))
}

const BLAMED_ON_SIZE: ReadonlySet<ExchangeFailureKind> = new Set(['timeout', 'too large', 'batch refused'])
const FIRST_CONCURRENCY = 2
const FIRST_BATCH = 30
const BATCH_STEP = 0.5
