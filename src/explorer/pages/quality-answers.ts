// What the page of quality asks beside the API: latencies as bars, and the promises that were broken.

import { LATENCY_NAMES, type LatencyName } from '../../chain/preconfirmations/figures.ts'
import type { Difference } from '../../chain/preconfirmations/record.ts'
import { type Histogram, largestIn } from '../../lib/numbers/histogram.ts'
import { brokenBlocks, preconfirmationWindows } from '../../store/preconfirmations/read.ts'
import type { ExplorerOptions } from '../state/chain-now.ts'

/** Times up to and with `toMs`, above the bar before; the last one has no end. */
export type LatencyBar = { readonly toMs: number | null; readonly count: number }

export type BrokenPromise = {
  readonly height: string
  readonly timeMs: string
  readonly txId: string
  readonly type: Difference['type']
  readonly from: string
  readonly to: string
}

export type QualityAnswers = {
  /** Of a window of the API; empty bars for one that there is not. */
  latencies: (window: string) => Promise<Readonly<Record<LatencyName, readonly LatencyBar[]>>>
  /** Newest first. */
  brokenPromises: () => Promise<BrokenPromise[]>
}

const ENDS_MS = [25, 50, 100, 150, 200, 300, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000]
const MOST_BLOCKS = 50
const MOST_PROMISES = 100

export function createQualityAnswers({ queries }: ExplorerOptions): QualityAnswers {
  return {
    latencies: async (window) => {
      const windows = await preconfirmationWindows(queries, Date.now())
      const figures = windows.find((each) => each.window === window)?.figures
      const bars = LATENCY_NAMES.map((name) => [name, barsOf(figures?.[name] ?? {})] as const)
      return Object.fromEntries(bars) as Record<LatencyName, LatencyBar[]>
    },
    brokenPromises: async () =>
      (await brokenBlocks(queries, MOST_BLOCKS))
        .flatMap(({ height, includedMs, differences }) =>
          differences.map(({ transaction, type, from, to }) => ({
            height: String(height),
            timeMs: String(includedMs),
            txId: transaction,
            type,
            from: String(from),
            to: to === null ? '' : String(to),
          })),
        )
        .slice(0, MOST_PROMISES),
  }
}

export function barsOf(histogram: Histogram): LatencyBar[] {
  const counts = new Array<number>(ENDS_MS.length + 1).fill(0)
  for (const [bucket, count] of Object.entries(histogram)) {
    const ms = largestIn(Number(bucket))
    const at = ENDS_MS.findIndex((end) => ms <= end)
    counts[at === -1 ? ENDS_MS.length : at]! += count
  }
  return counts.map((count, i) => ({ toMs: ENDS_MS[i] ?? null, count }))
}
