// The WebSocket of open pages at /live: one connection per tab, many topics. The message of a topic is rendered once and sent to all its
// subscribers.
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '../../contract/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Admission } from '../admission/admission.ts'
import { createConnectionLimit } from '../admission/connection-limits.ts'
import { closeAll, refuseHandshake, sendUpgradeRequired } from '../sockets/handshake.ts'
import { pingUntilClosed } from '../sockets/heartbeat.ts'
import { routeUpgrades, socketOf, takeUpgrade } from '../sockets/upgrades.ts'

export type LiveOptions = {
  readonly metrics: Metrics
  readonly admission: Pick<Admission, 'limitAddress'>
  readonly sources: readonly UpdateSource[]
}

/** Produces the updates of some topics. */
export type UpdateSource = {
  /** Names of the topics. */
  readonly topics: readonly RegExp[]
  /** The first message of a new subscriber; undefined where there is nothing yet. */
  readonly current: (topic: string) => Promise<string | undefined>
}

export type LivePages = {
  /** The HTML is new rows, or the part as it is now. */
  publish: (topic: string, html: string) => void
  /** Topics that have a subscriber. */
  followedTopics: () => string[]
  isFollowed: (topic: string) => boolean
  readonly openPages: number
}

const LIMITS = { total: 5_000, perAddress: 100 }
const MAX_INCOMING_BYTES = 4_096
const MAX_TOPICS = 32
/** A client with so much unread data is disconnected; its page connects again by itself. */
const MAX_WAITING_BYTES = 1_000_000
/** Updates of one topic that wait for the first message. */
const MOST_WAITING = 100
const PING_MS = 30_000
const CLOSE_TIMEOUT_MS = 5_000
const TRY_AGAIN_LATER = 1013
const UNSUPPORTED = 1003

export function addLiveRoute(app: FastifyInstance, options: LiveOptions): LivePages {
  const { metrics, admission, sources } = options
  const connections = createConnectionLimit(LIMITS, 'live connections')
  const clients = new Set<WebSocket>()
  const followers = new Map<string, Map<WebSocket, (text: string) => void>>()
  metrics.gauge('firstlight_live_connections', 'Open pages that are kept up to date', () => clients.size)
  // The types of ws do not have `closeTimeout` yet.
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
    const kind = sources.find(({ topics }) => topics.some((pattern) => pattern.test(topic)))
    if (!kind || own.has(topic) || own.size >= MAX_TOPICS) return
    own.add(topic)
    // The first message takes a while to make. Updates that come meanwhile are newer, so they wait until it is sent.
    let waiting: string[] | undefined = []
    const deliver = (text: string): void => {
      if (!waiting) send(client, text)
      else if (waiting.push(text) > MOST_WAITING) client.close(TRY_AGAIN_LATER, 'too slow')
    }
    followers.set(topic, (followers.get(topic) ?? new Map()).set(client, deliver))
    const sendFirst = (html: string | undefined): void => {
      const updates = waiting ?? []
      waiting = undefined
      if (html) send(client, textOf(topic, html))
      for (const text of updates) send(client, text)
    }
    // A failed first message does no harm: the next update brings the same.
    kind.current(topic).then(sendFirst, () => sendFirst(undefined))
  }

  const serve = (client: WebSocket): void => {
    const own = new Set<string>()
    clients.add(client)
    client.on('message', (message) => {
      const topics = topicsFrom(String(message))
      if (!topics) return client.close(UNSUPPORTED, 'send {"subscribe":["topic"]}')
      for (const topic of topics) follow(client, own, topic)
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
      const socket = socketOf(reply)
      if (!socket) return sendUpgradeRequired(reply, new Failure('malformedRequest', 'This is a WebSocket for pages.'))
      socket.once('close', connections.take(request.ip))
      takeUpgrade(sockets, { request, reply }, serve)
      return reply
    },
  })
  app.addHook('preClose', () => closeAll(clients))

  return {
    publish: (topic, html) => {
      const subscribers = followers.get(topic)
      if (!subscribers) return
      const text = textOf(topic, html)
      for (const deliver of subscribers.values()) deliver(text)
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
