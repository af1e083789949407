// Draws a chart with uPlot in the colours of the page, and again when colours or width change.
import uPlot from 'uplot'

const HEIGHT = 190
const WIDEST_BAR = 28

export function mount(element: HTMLElement): void {
  const points = JSON.parse(element.dataset.points!) as [number[], (number | null)[]]
  const { chart: kind, title = '', unit = '' } = element.dataset
  let plot: uPlot | undefined
  // Adds half a bar on both sides, so that the first and the last bar are not cut.
  const widened = (min: number, max: number): [number, number] => {
    const half = kind === 'bars' || min === max ? (max - min || 60) / Math.max(1, points[0].length - 1) / 2 : 0
    return [min - half, max + half]
  }
  const draw = () => {
    plot?.destroy()
    const styles = getComputedStyle(element)
    const axis = {
      stroke: styles.getPropertyValue('color'),
      font: `11px ${styles.fontFamily}`,
      grid: { stroke: styles.borderTopColor, width: 1 },
      ticks: { show: false },
    }
    const accent = styles.outlineColor
    plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: true, live: true },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: {
          x: { range: (_, min, max) => widened(min, max) },
          y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            values: (_, ticks, __, ___, stepS) => ticks.map((at) => timeAt(at, stepS)),
          },
          { ...axis, size: 52, values: (_, ticks) => ticks.map(shortFigure) },
        ],
        series: [
          { value: (_, at) => (at === null ? '–' : new Date(at * 1000).toLocaleString()) },
          {
            label: title,
            stroke: accent,
            width: 1.5,
            points: { show: points[0].length < 3 },
            value: (_, value) => (value === null ? '–' : `${value.toLocaleString('en')} ${unit}`),
            ...(kind === 'bars' && {
              fill: `color-mix(in srgb, ${accent} 30%, transparent)`,
              width: 1,
              paths: uPlot.paths.bars!({ size: [0.7, WIDEST_BAR] }),
            }),
          },
        ],
      },
      points,
      element,
    )
  }
  draw()
  new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT })).observe(element)
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ['data-theme'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
}

const DAY_S = 86_400

/** In UTC where the reader chose UTC or Unix time, otherwise in local time. */
function timeAt(atS: number, stepS: number): string {
  const isUtc = /^(utc|unix)$/.test(document.documentElement.dataset.clock ?? '')
  const date = new Date(atS * 1000 - (isUtc ? 0 : new Date(atS * 1000).getTimezoneOffset() * 60_000))
  const text = date.toISOString()
  return stepS >= DAY_S ? text.slice(5, 10) : text.slice(11, stepS >= 60 ? 16 : 19)
}

const SIZES = ['', 'K', 'M', 'B', 'T']

function shortFigure(value: number): string {
  const step = Math.abs(value) < 1000 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.abs(value)) / 3))
  return `${Number((value / 1000 ** step).toPrecision(4))}${SIZES[step]}`
}
