// The Flashblocks feed, from one upstream or several that race. Every message is read and checked by itself; whether it fits what came
// before is for the pending chain to say.

import type { Hex } from '../../chain/bytes/hex.ts'
import type { Flashblock } from '../../chain/codec/flashblock.ts'
import { type FeedMessage, type FlashblockMessage, feedMessageFrom } from '../../contract/flashblock.ts'
import { backoffMs, createWakeSignal, sleep } from '../../lib/async/wait.ts'
import { monotonicMs } from '../../lib/clock.ts'
import { type Log, withoutCredentials } from '../../lib/log.ts'
import { createResuming, jsonFromFrame, type ListenLimits, listen } from './connection.ts'
import { createRace } from './race.ts'
import { readFlashblock } from './read-flashblock.ts'

export type Feed = {
  /**
   * Every message of every upstream until the signal ends; the same message of several has the same `flashblock`. Never throws. One
   * consumer at a time.
   */
  events(signal: AbortSignal): AsyncGenerator<FeedEvent>
  status(): FeedStatus
}

export type FeedEvent =
  | FeedFlashblock
  /** The upstream says that no more will come of this payload. */
  | { readonly type: 'end'; readonly payloadId: Hex; readonly receivedMs: number }

export type FeedFlashblock = {
  readonly type: 'flashblock'
  readonly flashblock: Flashblock
  /** As it was received, for the relay. */
  readonly message: FlashblockMessage
  readonly receivedMs: number
  /** The same moment by the clock that never jumps. */
  readonly arrivedMs: number
  /** Which upstream sent it. */
  readonly upstream: number
}

type Message =
  | Pick<FeedFlashblock, 'type' | 'flashblock' | 'message'>
  | { readonly type: 'end'; readonly payloadId: Hex }

export type FeedStatus = {
  readonly upstreams: readonly UpstreamStatus[]
  /** Messages that the consumer was too slow for. */
  readonly lost: number
}

export type UpstreamStatus = {
  /** Without credentials. */
  readonly url: string
  readonly isConnected: boolean
  readonly connections: number
  readonly messages: number
  /** Messages that no other upstream sent before. */
  readonly firsts: number
  /** Frames that could not be read. */
  readonly unreadable: number
  /** The last of them; null if all could be read. */
  readonly lastUnreadable: { readonly atMs: number; readonly reason: string } | null
  /** Flashblocks with a transaction of a type that is not known: they are passed on, and not served. */
  readonly undecoded: number
  /** The last of them; null if there was none. */
  readonly lastUndecoded: { readonly atMs: number; readonly height: number } | null
  /** Behind the fastest, smoothed; null before the first message. */
  readonly lagMs: number | null
  /** What went wrong last; null while all is well. */
  readonly trouble: string | null
}

export type FeedOptions = Partial<ListenLimits> & {
  readonly urls: readonly string[]
  readonly log: Log
  /** Messages that may wait for the consumer; the oldest are dropped. */
  readonly maxWaiting?: number
  /** Between attempts to connect. */
  readonly longestPauseMs?: number
}

type Upstream = { -readonly [name in keyof UpstreamStatus]: UpstreamStatus[name] }

export function createFeed({ urls, log, maxWaiting = 256, longestPauseMs = 5_000, ...limits }: FeedOptions): Feed {
  const race = createRace<Message>()
  const resuming = createResuming(urls)
  const queue = createMessageQueue<FeedEvent>(maxWaiting)
  const upstreams = urls.map(upstreamAt)
  const allLimits = { ...DEFAULT_LIMITS, ...limits }

  const reading = { parse: (frame: Uint8Array) => parsed(frame, allLimits.maxMessageBytes), decode: decoded }

  const take = (index: number, frame: Uint8Array): void => {
    const upstream = upstreams[index]!
    const receivedMs = Date.now()
    const arrivedMs = monotonicMs()
    const read = race.read(frame, reading)
    if (read === null) return
    if ('unreadable' in read) {
      upstream.unreadable++
      upstream.lastUnreadable = { atMs: receivedMs, reason: read.unreadable }
      log.debug({ url: upstream.url, reason: read.unreadable }, 'a frame of the feed could not be read')
      return
    }
    const { message } = read
    upstream.messages++
    if (message.type === 'flashblock' && message.flashblock.undecoded !== undefined) {
      upstream.undecoded++
      upstream.lastUndecoded = { atMs: receivedMs, height: message.flashblock.height }
    }
    const isFirst = race.isFirst(message, { upstream: index, nowMs: arrivedMs })
    if (isFirst) upstream.firsts++
    if (message.type === 'flashblock') {
      if (isFirst) resuming.received(message.message)
      queue.push({ ...message, receivedMs, arrivedMs, upstream: index })
    } else if (isFirst) queue.push({ ...message, receivedMs })
  }

  const listenUntilStopped = async (index: number, signal: AbortSignal): Promise<void> => {
    const upstream = upstreams[index]!
    for (let failures = 0; !signal.aborted; failures++) {
      const onOpen = (): void => {
        Object.assign(upstream, { isConnected: true, connections: upstream.connections + 1, trouble: null })
      }
      const onFrame = (frame: Uint8Array): void => {
        failures = 0
        take(index, frame)
      }
      const reason = await listen({ url: resuming.urlOf(index), limits: allLimits, onOpen, onFrame }, signal)
      resuming.ended(index, reason)
      Object.assign(upstream, { isConnected: false, trouble: reason })
      if (signal.aborted) return
      if (failures === 0) log.warn({ url: upstream.url, reason }, 'the feed broke off; connecting again')
      await sleep(backoffMs(failures, { mostMs: longestPauseMs }), signal).catch(() => undefined)
    }
  }

  return {
    async *events(signal) {
      const ending = new AbortController()
      const either = AbortSignal.any([signal, ending.signal])
      const listening = urls.map((_, index) => listenUntilStopped(index, either))
      try {
        yield* queue.taken(either)
      } finally {
        ending.abort()
        await Promise.all(listening)
      }
    },
    status: () => ({
      upstreams: upstreams.map((upstream, index) => ({ ...upstream, lagMs: race.lagMs(index) })),
      lost: queue.lost,
    }),
  }
}

const DEFAULT_LIMITS: ListenLimits = {
  handshakeMs: 5_000,
  pingMs: 2_000,
  silenceMs: 15_000,
  maxMessageBytes: 16 * 2 ** 20,
}

function upstreamAt(url: string): Upstream {
  return {
    url: withoutCredentials(url),
    isConnected: false,
    connections: 0,
    messages: 0,
    firsts: 0,
    unreadable: 0,
    lastUnreadable: null,
    undecoded: 0,
    lastUndecoded: null,
    lagMs: null,
    trouble: null,
  }
}

function parsed(frame: Uint8Array, maxBytes: number): FeedMessage | { readonly unreadable: string } | null {
  try {
    const json = jsonFromFrame(frame, maxBytes)
    // An upstream of ours says that it lacks something. What is missing shows in what follows.
    if (typeof json === 'object' && json !== null && 'gap' in json) return null
    const message = feedMessageFrom(json)
    return message.type === 'malformed' ? { unreadable: message.reason } : message
  } catch (error) {
    return { unreadable: (error as Error).message }
  }
}

function decoded(message: FeedMessage): Message | { readonly unreadable: string } {
  if (message.type === 'end') return { type: 'end', payloadId: message.payloadId.toLowerCase() as Hex }
  const flashblock = readFlashblock(message.flashblock)
  return 'unreadable' in flashblock ? flashblock : { type: 'flashblock', flashblock, message: message.flashblock }
}

/**
 * Between the sockets, which do not wait, and one consumer, which may be slow. A message that does not fit pushes the oldest one out: new
 * flashblocks are worth more than old ones.
 */
type MessageQueue<T> = {
  push(message: T): void
  /** Until the signal ends. */
  taken(signal: AbortSignal): AsyncGenerator<T>
  /** How many were pushed out. */
  readonly lost: number
}

function createMessageQueue<T>(capacity: number): MessageQueue<T> {
  const waiting: T[] = []
  const wakeSignal = createWakeSignal()
  let lost = 0
  return {
    push(message) {
      waiting.push(message)
      if (waiting.length > capacity) {
        waiting.shift()
        lost++
      }
      wakeSignal.wake()
    },
    async *taken(signal) {
      while (!signal.aborted) {
        const next = waiting.shift()
        if (next === undefined) await wakeSignal.wait(LONGEST_WAIT_MS, signal)
        else yield next
      }
    },
    get lost() {
      return lost
    },
  }
}

const LONGEST_WAIT_MS = 60_000
