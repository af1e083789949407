// What the quality page shows beside the API: latencies as bars, and preconfirmations that were changed or dropped.

import type { BrokenPreconfirmation, Latencies, LatencyBar } from '../../contract/pages.ts'
import { type Histogram, largestIn } from '../../lib/numbers/histogram.ts'
import { brokenBlocks, preconfirmationWindows } from '../../store/preconfirmations/read.ts'
import type { ExplorerOptions } from '../state/chain-context.ts'

export type QualityAnswers = {
  /** Of a window of the API; empty bars for an unknown one. */
  latencies: (window: string) => Promise<Latencies>
  /** Newest first. */
  brokenPreconfirmations: () => Promise<BrokenPreconfirmation[]>
}

const ENDS_MS = [25, 50, 100, 150, 200, 300, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000]
const MOST_BLOCKS = 50
const MOST_PRECONFIRMATIONS = 100

export function createQualityAnswers({ readers: { queries } }: ExplorerOptions): QualityAnswers {
  return {
    latencies: async (window) => {
      const windows = await preconfirmationWindows(queries, Date.now())
      const figures = windows.find((each) => each.window === window)?.figures
      return {
        seenToPreconfirmed: barsOf(figures?.seenToPreconfirmed ?? {}),
        preconfirmedToIncluded: barsOf(figures?.preconfirmedToIncluded ?? {}),
        seenToIncluded: barsOf(figures?.seenToIncluded ?? {}),
      }
    },
    brokenPreconfirmations: async () =>
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
        .slice(0, MOST_PRECONFIRMATIONS),
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
