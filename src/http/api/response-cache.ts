// The cache of response bytes: what the explorer API sent for an endpoint, its parsed parameters and a chain state. Every request is
// still admitted and its signature checked; only then is the cache asked. It holds the responses of one chain state: those of an older
// one are dropped when the first request of a newer one comes.
//
// Most requests come once, and to store a response that nobody requests again costs more than to build it. So a response is stored from
// the second time on that it is built. Requests that come while a response is being built wait for it.
import { LRUCache } from 'lru-cache'
import type { CacheFigures } from '../../lib/cache/cache-figures.ts'

export type CacheKey = { readonly endpoint: string; readonly params: object; readonly chainVersion: string }

export type ResponseCache = {
  /** `isStorable` is asked once the bytes are made: some answers turn out to be of this moment only. */
  bytesOf: (key: CacheKey, make: () => Promise<Buffer>, isStorable?: () => boolean) => Buffer | Promise<Buffer>
  figures: () => CacheFigures
}

/** Pages are some ten kilobytes, responses with logs up to a megabyte. */
const MAX_ENTRIES = 1_000
const MAX_BYTES = 64_000_000
const MAX_ENTRY_BYTES = 4_000_000

export function createResponseCache({ maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = {}): ResponseCache {
  const stored = new LRUCache<string, Buffer>({
    max: maxEntries,
    maxSize: maxBytes,
    maxEntrySize: Math.min(MAX_ENTRY_BYTES, maxBytes),
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  })
  /** Keys of responses that were built once. */
  const builtOnce = new LRUCache<string, true>({ max: maxEntries })
  let inProgress = new Map<string, Promise<Buffer>>()
  let version = ''
  let hits = 0
  let misses = 0

  const store = (key: string, bytes: Buffer): void => {
    if (builtOnce.has(key)) stored.set(key, bytes)
    else builtOnce.set(key, true)
  }

  return {
    bytesOf: ({ endpoint, params, chainVersion }, make, isStorable = () => true) => {
      if (chainVersion !== version) {
        version = chainVersion
        stored.clear()
        builtOnce.clear()
        inProgress = new Map()
      }
      const key = endpoint + JSON.stringify(params)
      const known = stored.get(key) ?? inProgress.get(key)
      if (known) {
        hits++
        return known
      }
      misses++
      const pending = inProgress
      const bytes = make()
      pending.set(key, bytes)
      bytes.then(
        (response) => {
          pending.delete(key)
          // A response to an older chain state must not come back.
          if (pending === inProgress && isStorable()) store(key, response)
        },
        // A failure may pass; the next request tries again.
        () => pending.delete(key),
      )
      return bytes
    },
    figures: () => ({ hits, misses, entries: stored.size, bytes: stored.calculatedSize }),
  }
}
