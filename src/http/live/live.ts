// The pages' own WebSocket at /live: one a tab, many topics. A topic's message is made once and written to all who follow it.
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '../../contract/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Admission } from '../admission/admission.ts'
import { createConnectionLimit } from '../sockets/connection-limits.ts'
import { closeAll, refuseHandshake, sendUpgradeRequired } from '../sockets/handshake.ts'
import { pingUntilClosed } from '../sockets/heartbeat.ts'
import { routeUpgrades, socketOf, takeUpgrade } from '../sockets/upgrades.ts'

export type LiveOptions = {
  readonly metrics: Metrics
  readonly admission: Pick<Admission, 'limitAddress'>
  readonly sources: readonly UpdateSource[]
}

/** One kind of news. */
export type UpdateSource = {
  /** Names that can be followed. */
  readonly topics: readonly RegExp[]
  /** What a topic says to who comes late; undefined where it has nothing yet. */
  readonly current: (topic: string) => Promise<string | undefined>
}

export type LivePages = {
  /** HTML: rows, or the part as it looks now. */
  publish: (topic: string, html: string) => void
  /** Topics that somebody follows. */
  followedTopics: () => string[]
  isFollowed: (topic: string) => boolean
  readonly openPages: number
}

const LIMITS = { total: 5_000, perAddress: 100 }
const MAX_INCOMING_BYTES = 4_096
const MAX_TOPICS = 32
/** A reader that leaves so much unread is let go; its page comes back by itself. */
const MAX_WAITING_BYTES = 1_000_000
/** News of one topic that wait for its greeting. */
const MOST_HELD = 100
const PING_MS = 30_000
const CLOSE_TIMEOUT_MS = 5_000
const TRY_AGAIN_LATER = 1013
const UNSUPPORTED = 1003

export function addLiveRoute(app: FastifyInstance, options: LiveOptions): LivePages {
  const { metrics, admission, sources: news } = options
  const places = createConnectionLimit(LIMITS, 'live connections')
  const clients = new Set<WebSocket>()
  const followers = new Map<string, Map<WebSocket, (text: string) => void>>()
  metrics.gauge('firstlight_live_connections', 'Open pages that are kept up to date', () => clients.size)
  // The types do not know `closeTimeout` yet.
  const settings = {
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_INCOMING_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
  const sockets = new WebSocketServer(settings)
  sockets.on('wsClientError', refuseHandshake)

  const send = (client: WebSocket, text: string): void => {
    if (client.readyState !== client.OPEN) return
    if (client.bufferedAmount > MAX_WAITING_BYTES) client.close(TRY_AGAIN_LATER, 'too slow')
    else client.send(text)
  }

  const follow = (client: WebSocket, own: Set<string>, topic: string): void => {
    const kind = news.find(({ topics }) => topics.some((pattern) => pattern.test(topic)))
    if (!kind || own.has(topic) || own.size >= MAX_TOPICS) return
    own.add(topic)
    // Making a greeting takes a while. What is told meanwhile is newer than it, so it waits.
    let held: string[] | undefined = []
    const tell = (text: string): void => {
      if (!held) send(client, text)
      else if (held.push(text) > MOST_HELD) client.close(TRY_AGAIN_LATER, 'too slow')
    }
    followers.set(topic, (followers.get(topic) ?? new Map()).set(client, tell))
    const greet = (html: string | undefined): void => {
      const waiting = held ?? []
      held = undefined
      if (html) send(client, textOf(topic, html))
      for (const text of waiting) send(client, text)
    }
    // A greeting that fails is no loss: the next news bring the same.
    kind.current(topic).then(greet, () => greet(undefined))
  }

  const serve = (client: WebSocket): void => {
    const own = new Set<string>()
    clients.add(client)
    client.on('message', (frame) => {
      const wished = topicsFrom(String(frame))
      if (!wished) return client.close(UNSUPPORTED, 'send {"subscribe":["topic"]}')
      for (const topic of wished) follow(client, own, topic)
    })
    pingUntilClosed(client, { everyMs: PING_MS, onDead: () => undefined })
    client.on('error', () => undefined)
    client.on('close', () => {
      clients.delete(client)
      for (const topic of own) {
        const left = followers.get(topic)
        left?.delete(client)
        if (left?.size === 0) followers.delete(topic)
      }
    })
  }

  routeUpgrades(app)
  app.get('/live', {
    config: { label: 'live' },
    onRequest: admission.limitAddress,
    handler: async (request, reply) => {
      const socket = socketOf(request)
      if (!socket) return sendUpgradeRequired(reply, new Failure('malformedRequest', 'This is a WebSocket for pages.'))
      socket.once('close', places.take(request.ip))
      takeUpgrade(sockets, { request, reply }, serve)
      return reply
    },
  })
  app.addHook('preClose', () => closeAll(clients))

  return {
    publish: (topic, html) => {
      const readers = followers.get(topic)
      if (!readers) return
      const text = textOf(topic, html)
      for (const tell of readers.values()) tell(text)
    },
    followedTopics: () => [...followers.keys()],
    isFollowed: (topic) => followers.has(topic),
    get openPages() {
      return clients.size
    },
  }
}

function textOf(topic: string, html: string): string {
  return JSON.stringify({ topic, html })
}

function topicsFrom(text: string): string[] | undefined {
  try {
    const { subscribe } = JSON.parse(text) as { subscribe?: unknown }
    return Array.isArray(subscribe) && subscribe.every((topic) => typeof topic === 'string') ? subscribe : undefined
  } catch {
    return undefined
  }
}
