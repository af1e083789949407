// A line over time. The points stand in the page; islands/chart.ts draws them. What they say is also in a table, so without
// JavaScript there is no empty shell.
export type ChartKind = 'bars' | 'line'

type ChartProps = {
  title: string
  /** Shown behind values: gwei, gas. */
  unit?: string
  kind: ChartKind
  timesMs: readonly number[]
  values: readonly (number | null)[]
}

export function Chart({ title, unit = '', kind, timesMs, values }: ChartProps) {
  return (
    <figure class="chart panel">
      <figcaption>
        {title} {unit !== '' && <span class="unit">{unit}</span>}
      </figcaption>
      <div
        class="plot"
        data-chart={kind}
        data-title={title}
        data-unit={unit}
        data-points={JSON.stringify([timesMs.map((ms) => ms / 1000), values])}
        role="img"
        aria-label={`Chart: ${title}. The table has the same figures.`}
      />
    </figure>
  )
}
