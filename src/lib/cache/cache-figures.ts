// What a cache reports of itself for /metrics.
import type { Metrics } from '../metrics.ts'

export type CacheFigures = {
  readonly hits: number
  readonly misses: number
  readonly entries: number
  /** Estimated where values are objects. */
  readonly bytes: number
}

export function addCacheMetrics(metrics: Metrics, caches: Readonly<Record<string, () => CacheFigures>>): void {
  const figure = (name: keyof CacheFigures) => () =>
    Object.fromEntries(Object.entries(caches).map(([cache, figures]) => [cache, figures()[name]]))
  metrics.countedBy('firstlight_cache_hits_total', 'Values found in a cache', 'cache', figure('hits'))
  metrics.countedBy('firstlight_cache_misses_total', 'Values not found in a cache', 'cache', figure('misses'))
  metrics.gaugedBy('firstlight_cache_entries', 'Values in a cache', 'cache', figure('entries'))
  metrics.gaugedBy('firstlight_cache_bytes', 'Bytes that a cache holds, estimated', 'cache', figure('bytes'))
}
