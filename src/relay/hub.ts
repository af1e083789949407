// Sends each flashblock to every subscriber. The ring holds the flashblocks of the last blocks and every subscriber is a cursor into it:
// nothing is copied for a slow subscriber, and catching up is the same walk as following. The hub knows WebSocket frames, but no sockets.

import type { FeedPosition, OutgoingText } from './outgoing-flashblock.ts'
import { createRing } from './ring.ts'
import { flashblockEntry, gapEntry, gapFrame, type RingEntry } from './ring-entry.ts'
import { isMatch, type SubscriberFilter } from './subscriber-filter.ts'
import type { Encoding } from './websocket-frames.ts'

/** Where the frames of one subscriber go. */
export type Sink = {
  /** Takes one frame. False: the sink is full, and `flow` of the subscription is called when it is not full any more. */
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
  /** Takes each flashblock once, in order. */
  publish: (flashblock: OutgoingText) => void
  subscribe: (sink: Sink, query: SubscriberQuery) => Subscription
  readonly subscribers: number
  /** Bytes that the ring holds. */
  ringBytes: () => number
}

export type HubOptions = {
  /** Blocks that can be resumed from. */
  maxBlocks?: number
  /** Under heavy load the ring holds fewer blocks than that. */
  maxRingBytes?: number
  /** What may wait for one subscriber, beyond what it had to catch up with. */
  maxWaitingBytes?: number
}

/** Subscribers served in one go, before other work of this thread runs. */
const SLICE = 500

type Subscriber = {
  readonly sink: Sink
  readonly encoding: Encoding
  readonly filter: SubscriberFilter | undefined
  readonly maxWaitingBytes: number
  /** Number of the next entry to send. */
  cursor: number
  /** Skips everything until an index 0. */
  isWaitingForBase: boolean
  isFull: boolean
  last: FeedPosition | null
}

export function createHub(options: HubOptions = {}): Hub {
  const { maxBlocks = 64, maxRingBytes = 256_000_000, maxWaitingBytes = 16_000_000 } = options
  const ring = createRing({ maxBlocks, maxBytes: maxRingBytes })
  const subscribers = new Set<Subscriber>()

  const cutOff = (subscriber: Subscriber) => {
    subscribers.delete(subscriber)
    subscriber.sink.cutOff(gapFrame({ reason: 'slow', after: subscriber.last, next: null }))
  }

  const isTooSlow = ({ cursor, isFull, maxWaitingBytes }: Subscriber) =>
    cursor < ring.first || (isFull && ring.bytesFrom(cursor) > maxWaitingBytes)

  const isWanted = (subscriber: Subscriber, entry: RingEntry): boolean => {
    if (entry.type === 'gap') return !subscriber.isWaitingForBase
    if (subscriber.isWaitingForBase && entry.position.flashblock_index > 0) return false
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
      if (entry.type === 'flashblock') subscriber.last = entry.position
      subscriber.cursor++
    }
  }
  const serveAll = createRounds(subscribers, serve, SLICE)

  return {
    publish: (flashblock) => {
      const { gapAfter, position } = flashblock
      if (gapAfter) ring.push(gapEntry({ reason: 'upstream', after: gapAfter, next: position }))
      ring.push(flashblockEntry(flashblock, serveAll))
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
        const next = entry?.type === 'flashblock' ? entry.position : null
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

/** Visits every member of a set, `slice` of them before other work can run. A call during a round starts another round after it. */
export function createRounds<T>(members: ReadonlySet<T>, visit: (member: T) => void, slice: number): () => void {
  let round: SetIterator<T> | undefined
  let isAskedAgain = false

  const visitSome = () => {
    for (let i = 0; i < slice; i++) {
      const { value, done } = round!.next()
      if (!done) visit(value)
      else if (!isAskedAgain) {
        round = undefined
        return
      } else {
        isAskedAgain = false
        round = members.values()
      }
    }
    setImmediate(visitSome)
  }

  return () => {
    if (round) isAskedAgain = true
    else {
      round = members.values()
      visitSome()
    }
  }
}
