// Draws a histogram with uPlot in the colours of the page, and again when colours or width change.
import uPlot from 'uplot'

const HEIGHT = 190
const WIDEST_BAR = 60
/** Width of an axis label with the room around it, in pixels. */
const LABEL_WIDTH = 52

export function mount(element: HTMLElement): void {
  const { words, ends, counts } = JSON.parse(element.dataset.histogram!) as {
    words: string[]
    ends: string[]
    counts: number[]
  }
  /** The right edges of as many bars as there is room for labels. */
  const edges = ({ bbox }: uPlot): number[] => {
    const barWidth = bbox.width / devicePixelRatio / words.length
    const step = Math.max(1, Math.ceil(LABEL_WIDTH / barWidth))
    return words.flatMap((_, i) => (i % step === 0 ? [i + 0.5] : []))
  }
  let plot: uPlot | undefined
  const draw = (): void => {
    plot?.destroy()
    const styles = getComputedStyle(element)
    const accent = styles.outlineColor
    const axis = {
      stroke: styles.getPropertyValue('color'),
      font: `11px ${styles.fontFamily}`,
      ticks: { show: false },
    }
    plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: true, live: true },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: {
          x: { time: false, range: () => [-0.5, words.length - 0.5] },
          y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            splits: edges,
            values: (_, ticks) => ticks.map((at) => ends[at - 0.5] ?? ''),
          },
          { ...axis, size: 44, grid: { stroke: styles.borderTopColor, width: 1 } },
        ],
        series: [
          { label: 'Time', value: (_, at) => (at === null ? '–' : (words[at] ?? '–')) },
          {
            label: 'Transactions',
            stroke: accent,
            width: 1,
            points: { show: false },
            fill: `color-mix(in srgb, ${accent} 30%, transparent)`,
            paths: uPlot.paths.bars!({ size: [0.8, WIDEST_BAR] }),
            value: (_, value) => (value === null ? '–' : value.toLocaleString('en')),
          },
        ],
      },
      [words.map((_, i) => i), counts],
      element,
    )
  }
  draw()
  new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT })).observe(element)
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ['data-theme'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
}
