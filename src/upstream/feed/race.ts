// Several upstreams send the same messages: the first to send one wins, the others show how far they are behind.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { FeedMessage } from '../../contract/flashblock.ts'

export type Race = {
  /** Whether no upstream sent this before. */
  isFirst(message: FeedMessage, by: { readonly upstream: number; readonly nowMs: number }): boolean
  /** Nobody took it: the next upstream that sends it is the first. */
  forget(message: FeedMessage): void
  /** Milliseconds behind the first, smoothed; null before there was a race. */
  lagMs(upstream: number): number | null
}

export function createRace(): Race {
  const messages = new LRUCache<string, { readonly firstMs: number; readonly upstreams: Set<number> }>({
    max: MAX_MESSAGES,
  })
  const lags = new Map<number, number>()
  const measure = (upstream: number, lagMs: number): void => {
    lags.set(upstream, (lags.get(upstream) ?? lagMs) * (1 - NEWEST_SHARE) + lagMs * NEWEST_SHARE)
  }
  return {
    isFirst(message, { upstream, nowMs }) {
      const key = keyOf(message)
      const known = messages.get(key)
      if (known === undefined) {
        messages.set(key, { firstMs: nowMs, upstreams: new Set([upstream]) })
        measure(upstream, 0)
        return true
      }
      if (!known.upstreams.has(upstream)) measure(upstream, nowMs - known.firstMs)
      known.upstreams.add(upstream)
      return false
    },
    forget: (message) => void messages.delete(keyOf(message)),
    lagMs: (upstream) => lags.get(upstream) ?? null,
  }
}

/**
 * The payload, the index, and what the block is said to hold: where two upstreams contradict each other, both messages pass, and the
 * block hash decides which is right.
 */
function keyOf(message: FeedMessage): string {
  if (message.type === 'end') return message.payloadId
  const { payload_id, index, base, diff, metadata } = message.flashblock
  const claim = createHash('sha1')
    .update(JSON.stringify([base ?? null, diff, metadata.block_number]))
    .digest('base64')
  return `${payload_id}/${index}/${claim}`
}

const MAX_MESSAGES = 4_096
const NEWEST_SHARE = 0.1
