// Prometheus metrics of one process. Each part registers what it measures; the names are documented in docs/operating.md.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  readonly contentType: string
  text: () => Promise<string>
  counter: (name: string, help: string, labels?: readonly string[]) => Counter
  /** A counter whose value is counted elsewhere and read when the metrics are read. */
  counted: (name: string, help: string, collect: () => number) => Counter
  gauge: (name: string, help: string, collect?: () => number) => Gauge
  /** The same for one label: a figure for each of its values. */
  countedBy: (name: string, help: string, label: string, collect: () => Readonly<Record<string, number>>) => Counter
  gaugedBy: (name: string, help: string, label: string, collect: () => Readonly<Record<string, number>>) => Gauge
  histogram: (name: string, help: string, labels: readonly string[], buckets: number[]) => Histogram
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'firstlight_' })
  const registers = [registry]
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: [...labels], registers }),
    counted: (name, help, collect) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(collect())
        },
      }),
    gauge: (name, help, collect) =>
      new Gauge({
        name,
        help,
        registers,
        ...(collect && {
          collect() {
            this.set(collect())
          },
        }),
      }),
    countedBy: (name, help, label, collect) =>
      new Counter({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [value, count] of Object.entries(collect())) this.inc({ [label]: value }, count)
        },
      }),
    gaugedBy: (name, help, label, collect) =>
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          // A value that is no longer listed must not stay at its last figure.
          this.reset()
          for (const [value, figure] of Object.entries(collect())) this.set({ [label]: value }, figure)
        },
      }),
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name, help, labelNames: [...labels], buckets, registers }),
  }
}
