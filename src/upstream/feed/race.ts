// Several upstreams send the same messages. Each is parsed and decoded once; the others that send it refer to the same object, by which the
// resequencer knows it, and show how far they are behind the first.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { FeedMessage } from '../../contract/flashblock.ts'

export type Race<M extends object> = {
  /** The message in a frame, as whoever sent it first sent it. */
  read(frame: Uint8Array, reading: Reading<M>): Read<M>
  /** Whether no upstream sent it before. */
  isFirst(message: M, by: { readonly upstream: number; readonly nowMs: number }): boolean
  /** Milliseconds behind the first, smoothed; null before there was a race. */
  lagMs(upstream: number): number | null
}

export type Read<M> = { readonly message: M } | { readonly unreadable: string } | null

export type Reading<M> = {
  /** Null where the frame holds nothing that counts. */
  readonly parse: (frame: Uint8Array) => FeedMessage | { readonly unreadable: string } | null
  readonly decode: (message: FeedMessage) => M | { readonly unreadable: string }
}

export function createRace<M extends object>(): Race<M> {
  const byBytes = new LRUCache<string, M>({ max: MAX_MESSAGES })
  const byClaim = new LRUCache<string, M>({ max: MAX_MESSAGES })
  const sent = new LRUCache<M, { readonly firstMs: number; readonly upstreams: Set<number> }>({ max: MAX_MESSAGES })
  const lags = new Map<number, number>()
  const measure = (upstream: number, lagMs: number): void => {
    lags.set(upstream, (lags.get(upstream) ?? lagMs) * (1 - NEWEST_SHARE) + lagMs * NEWEST_SHARE)
  }
  return {
    read(frame, { parse, decode }) {
      const bytes = createHash('sha1').update(frame).digest('base64')
      const known = byBytes.get(bytes)
      if (known !== undefined) return { message: known }
      const parsed = parse(frame)
      if (parsed === null || 'unreadable' in parsed) return parsed
      const claim = keyOf(parsed)
      const message = byClaim.get(claim) ?? decode(parsed)
      if ('unreadable' in message) return message as { unreadable: string }
      byBytes.set(bytes, message as M)
      byClaim.set(claim, message as M)
      return { message: message as M }
    },
    isFirst(message, { upstream, nowMs }) {
      const known = sent.get(message)
      if (known === undefined) {
        sent.set(message, { firstMs: nowMs, upstreams: new Set([upstream]) })
        measure(upstream, 0)
        return true
      }
      if (!known.upstreams.has(upstream)) measure(upstream, nowMs - known.firstMs)
      known.upstreams.add(upstream)
      return false
    },
    lagMs: (upstream) => lags.get(upstream) ?? null,
  }
}

/**
 * The payload, the index, and what the block is said to hold: where two upstreams contradict each other, these are two messages, and the
 * resequencer judges them.
 */
function keyOf(message: FeedMessage): string {
  if (message.type === 'end') return message.payloadId
  const { payload_id, index, base, diff, metadata } = message.flashblock
  const claim = createHash('sha1')
    .update(JSON.stringify([base ?? null, diff, metadata.block_number]))
    .digest('base64')
  return `${payload_id}/${index}/${claim}`
}

/** Some fifty blocks; each holds a decoded flashblock. */
const MAX_MESSAGES = 512
const NEWEST_SHARE = 0.1
