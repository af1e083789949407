// A histogram of durations: always as a table, and as a chart where scripts run (islands/histogram.ts).

import type { LatencyBar } from '../../../src/contract/pages.ts'
import { Nothing } from '../page/page-head.tsx'
import { grouped, percent } from '../text/numbers.ts'

type HistogramProps = {
  title: string
  bars: readonly LatencyBar[]
  /** Median, 95th and 99th percentile in milliseconds; empty where nothing was measured. */
  quantiles: readonly [p50: string, p95: string, p99: string]
  empty: string
}

export function LatencyHistogram({ title, bars, quantiles, empty }: HistogramProps) {
  const total = bars.reduce((sum, { count }) => sum + count, 0)
  const lines = shownOf(bars)
  const [p50, p95, p99] = quantiles
  return (
    <section class="latency">
      <h3>{title}</h3>
      {total === 0 ? (
        <Nothing>{empty}</Nothing>
      ) : (
        <>
          <dl class="quantiles">
            <Quantile name="Median" ms={p50} />
            <Quantile name="95 % within" ms={p95} />
            <Quantile name="99 % within" ms={p99} />
          </dl>
          <div
            class="plot"
            data-histogram={JSON.stringify({
              words: lines.map(({ word }) => word),
              ends: lines.map(({ end }) => end),
              counts: lines.map(({ count }) => count),
            })}
          />
          <details>
            <summary>As a table</summary>
            <table class="list compact">
              <caption class="hidden">{title}</caption>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col" class="right">
                    Transactions
                  </th>
                  <th scope="col" class="right">
                    Share
                  </th>
                </tr>
              </thead>
              <tbody>
                {lines.map(({ word, count }) => (
                  <tr key={word}>
                    <td>{word}</td>
                    <td class="right">{grouped(String(count))}</td>
                    <td class="right">{percent(count, total)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  )
}

function Quantile({ name, ms }: { name: string; ms: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{grouped(ms)} ms</dd>
    </div>
  )
}

/** Leaves out the empty bars at both ends. */
function shownOf(bars: readonly LatencyBar[]) {
  const lines = bars.map(({ toMs, count }, i) => ({
    word: wordOf(bars[i - 1]?.toMs ?? 0, toMs),
    end: toMs === null ? '' : timeOf(toMs),
    count,
  }))
  const first = lines.findIndex(({ count }) => count > 0)
  const last = lines.findLastIndex(({ count }) => count > 0)
  return lines.slice(Math.max(0, first - 1), last + 2)
}

function wordOf(fromMs: number, toMs: number | null): string {
  return toMs === null ? `over ${timeOf(fromMs)}` : `${timeOf(fromMs, toMs < 1_000)}–${timeOf(toMs)}`
}

function timeOf(ms: number, isBare = false): string {
  return ms < 1_000 ? `${ms}${isBare ? '' : ' ms'}` : `${ms / 1_000} s`
}
