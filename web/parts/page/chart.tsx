// A chart over time. islands/chart.ts draws the points that are in the HTML. The page has the same figures in a table, so the chart is
// hidden without JavaScript.
export type ChartKind = 'bars' | 'line'

type ChartProps = {
  title: string
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
