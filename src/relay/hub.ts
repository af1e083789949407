// Fans the feed out. Flashblocks come in, the ring keeps those of the last blocks, and every subscriber is a cursor into the ring: what waits
// for a slow one is not copied, and catching up is the same walk as following. Knows frames, but no sockets.

import type { Encoding } from './encodings.ts'
import { flashblockEntry, gapEntry, gapFrame, type RingEntry } from './entry.ts'
import { type FeedPosition, follows, type PayloadPosition } from './gap.ts'
import type { OutgoingText } from './outgoing-flashblock.ts'
import { createRing } from './ring.ts'
import { isMatch, type SubscriberFilter } from './subscriber-filter.ts'
import { createRounds } from './visit-in-slices.ts'

/** Where the frames of one subscriber go. */
export type Sink = {
  /** Takes one frame. False: it is full, and `flow` of the subscription will say when it is not. */
  write: (frame: Buffer) => boolean
  /** The subscriber was too slow: this notice is the last frame, the subscription is over. */
  cutOff: (notice: Buffer) => void
}

export type SubscriberQuery = {
  encoding: Encoding
  filter?: SubscriberFilter | undefined
  /** The last flashblock that was received before. Without it the feed begins with the next index 0. */
  after?: FeedPosition | undefined
}

export type Subscription = {
  /** The sink can take more. */
  flow: () => void
  end: () => void
}

export type Hub = {
  /** Takes each flashblock once, in order; what is missing between two is announced as a gap. */
  publish: (flashblock: OutgoingText) => void
  subscribe: (sink: Sink, wish: SubscriberQuery) => Subscription
  readonly subscribers: number
  /** Bytes that the ring holds. */
  ringBytes: () => number
}

export type HubOptions = {
  /** Blocks that can be resumed from. */
  maxBlocks?: number
  /** Under heavy load fewer blocks are kept than that. */
  maxRingBytes?: number
  /** What may wait for one subscriber, beyond what it had to catch up with. */
  maxWaitingBytes?: number
}

/** Subscribers served in one go, before other work gets its turn. */
const SLICE = 500

type Subscriber = {
  readonly sink: Sink
  readonly encoding: Encoding
  readonly filter: SubscriberFilter | undefined
  readonly maxWaitingBytes: number
  /** Number of the entry that it gets next. */
  cursor: number
  /** Passes over everything until an index 0. */
  isWaitingForBase: boolean
  isFull: boolean
  last: FeedPosition | null
}

export function createHub(options: HubOptions = {}): Hub {
  const { maxBlocks = 64, maxRingBytes = 256_000_000, maxWaitingBytes = 16_000_000 } = options
  const ring = createRing({ maxBlocks, maxBytes: maxRingBytes })
  const subscribers = new Set<Subscriber>()
  let newest: PayloadPosition | undefined

  const cutOff = (subscriber: Subscriber) => {
    subscribers.delete(subscriber)
    subscriber.sink.cutOff(gapFrame({ reason: 'slow', after: subscriber.last, next: null }))
  }

  const isTooSlow = ({ cursor, isFull, maxWaitingBytes }: Subscriber) =>
    cursor < ring.first || (isFull && ring.bytesFrom(cursor) > maxWaitingBytes)

  const isWanted = (subscriber: Subscriber, entry: RingEntry): boolean => {
    if (entry.type === 'gap') return !subscriber.isWaitingForBase
    if (subscriber.isWaitingForBase && entry.place.flashblock_index > 0) return false
    subscriber.isWaitingForBase = false
    return !subscriber.filter || isMatch(subscriber.filter, entry.traits(ring.at(subscriber.cursor - 1)))
  }

  const serve = (subscriber: Subscriber) => {
    if (isTooSlow(subscriber)) return cutOff(subscriber)
    while (!subscriber.isFull) {
      const entry = ring.at(subscriber.cursor)
      if (!entry) return
      if (isWanted(subscriber, entry)) {
        const frame = entry.frame(subscriber.encoding)
        if (!frame) return
        subscriber.isFull = !subscriber.sink.write(frame)
      }
      if (entry.type === 'flashblock') subscriber.last = entry.place
      subscriber.cursor++
    }
  }
  const serveAll = createRounds(subscribers, serve, SLICE)

  return {
    publish: (flashblock) => {
      const { place } = flashblock
      if (newest && !follows(newest, place)) {
        ring.push(gapEntry({ reason: 'upstream', after: newest, next: place }))
      }
      ring.push(flashblockEntry(flashblock, serveAll))
      newest = place
      serveAll()
    },
    subscribe: (sink, { encoding, filter, after }) => {
      const held = after && ring.find(after)
      const cursor = held !== undefined ? held + 1 : after ? ring.firstBaseAbove(after.block_number) : ring.next
      const subscriber: Subscriber = {
        sink,
        encoding,
        filter,
        maxWaitingBytes: ring.bytesFrom(cursor) + maxWaitingBytes,
        cursor,
        isWaitingForBase: held === undefined,
        isFull: false,
        last: after ?? null,
      }
      subscribers.add(subscriber)
      if (after && held === undefined) {
        const entry = ring.at(cursor)
        const next = entry?.type === 'flashblock' ? entry.place : null
        subscriber.isFull = !sink.write(gapFrame({ reason: 'not held', after, next }))
      }
      serve(subscriber)
      return {
        flow: () => {
          subscriber.isFull = false
          if (subscribers.has(subscriber)) serve(subscriber)
        },
        end: () => void subscribers.delete(subscriber),
      }
    },
    get subscribers() {
      return subscribers.size
    },
    ringBytes: ring.bytes,
  }
}
