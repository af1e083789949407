// The feed for subscribers: GET /flashblocks as a WebSocket (§6). Every frame is made once by the hub and written as it is to each socket.
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '../contract/failure.ts'
import type { Hub } from '../flashblocks/hub.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Admission } from './admission.ts'
import { refusedFrom } from './envelope.ts'
import { beat } from './relay/heartbeat.ts'
import { createPlaces, type RelayLimits } from './relay/places.ts'
import { routeUpgrades, socketOf, takeUpgrade } from './relay/upgrades.ts'
import { type RelayWish, wishFrom } from './relay/wish.ts'

export type RelayOptions = {
  hub: Hub
  metrics: Metrics
  admission: Pick<Admission, 'limitAddress'>
  limits: RelayLimits
  /** Asked for every subscriber, where keys are required at all. */
  isKey?: ((key: string) => Promise<boolean>) | undefined
  pingMs?: number
}

const PING_MS = 15_000
/** Subscribers have nothing to say. */
const MAX_INCOMING_BYTES = 4_096
/** A client that does not answer to a close is cut off after this. */
const CLOSE_TIMEOUT_MS = 5_000
const STOP_TIMEOUT_MS = 1_000

const TRY_AGAIN_LATER = 1013
const SERVICE_RESTART = 1012

export const addRelay = (app: FastifyInstance, options: RelayOptions): void => {
  const { hub, metrics, admission, limits, isKey, pingMs = PING_MS } = options
  const places = createPlaces(limits)
  const clients = new Set<WebSocket>()
  const counts = countersOf(metrics, hub)
  const sockets = socketServers()

  const serve = (client: WebSocket, socket: Socket, wish: RelayWish) => {
    clients.add(client)
    const subscription = hub.subscribe(
      {
        write: (frame) => {
          // Nothing may follow a close frame.
          if (client.readyState !== client.OPEN) return true
          counts.frames.inc()
          counts.bytes.inc(frame.length)
          return socket.write(frame)
        },
        cutOff: (notice) => {
          counts.cutOff.inc({ reason: 'slow' })
          socket.write(notice)
          client.close(TRY_AGAIN_LATER, 'too slow')
        },
      },
      { ...wish, encoding: wish.encoding ?? (client.extensions ? 'deflate' : 'plain') },
    )
    socket.on('drain', subscription.flow)
    beat(client, { everyMs: pingMs, onDead: () => counts.cutOff.inc({ reason: 'dead' }) })
    client.on('error', () => undefined)
    client.on('close', () => {
      subscription.end()
      clients.delete(client)
    })
  }

  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (isKey) await refuseUnknownKey(request, isKey)
    const wish = wishFrom(request.query)
    const socket = socketOf(request)
    if (!socket) return sendUpgradeRequired(reply)
    socket.once('close', places.take(request.ip))
    const server = wish.encoding || asksForSmallWindow(request) ? sockets.uncompressed : sockets.compressed
    takeUpgrade(server, { request, reply }, (client) => serve(client, socket, wish))
    return reply
  }

  routeUpgrades(app)
  for (const url of ['/flashblocks', '/flashblocks/:key']) {
    app.get(url, { config: { label: 'relay' }, onRequest: admission.limitAddress, handler })
  }
  app.addHook('preClose', () => closeAll(clients))
}

/** Two, because only the handshake can leave compression out. */
const socketServers = () => {
  const common = {
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_INCOMING_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
  // What is deflated once for all cannot lean on what one client got before.
  const perMessageDeflate = { serverNoContextTakeover: true, clientNoContextTakeover: true }
  const servers = {
    uncompressed: new WebSocketServer({ ...common, perMessageDeflate: false }),
    compressed: new WebSocketServer({ ...common, perMessageDeflate }),
  }
  for (const server of Object.values(servers)) server.on('wsClientError', refuseHandshake)
  return servers
}

const refuseHandshake = (error: Error, socket: Duplex): void => {
  const { status, text } = refusedFrom(
    new Failure('malformedRequest', `No handshake of a WebSocket: ${error.message}.`),
  )
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close\r\n`
  socket.end(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}

/** What is deflated once for all has the window that everyone else takes. */
const asksForSmallWindow = ({ headers }: FastifyRequest): boolean =>
  headers['sec-websocket-extensions']?.includes('server_max_window_bits') ?? false

const sendUpgradeRequired = (reply: FastifyReply): FastifyReply =>
  reply
    .status(426)
    .header('upgrade', 'websocket')
    .header('content-type', 'application/json; charset=utf-8')
    .send(refusedFrom(new Failure('malformedRequest', 'The feed is a WebSocket; JSON-RPC is a POST.')).text)

const refuseUnknownKey = async (
  { params, headers }: FastifyRequest,
  isKey: (key: string) => Promise<boolean>,
): Promise<void> => {
  const { key = headers['x-api-key'] } = params as { key?: string }
  if (typeof key !== 'string') {
    throw new Failure('keyMissing', 'A key is required, in the path (/flashblocks/<key>) or in the header x-api-key.')
  }
  if (!(await isKey(key))) throw new Failure('keyUnknown', 'The key is unknown.')
}

const closeAll = async (clients: ReadonlySet<WebSocket>): Promise<void> => {
  const closing = Array.from(clients, (client) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    client.once('close', () => resolve())
    client.close(SERVICE_RESTART, 'service restart')
    return promise
  })
  const timer = setTimeout(() => {
    for (const client of clients) client.terminate()
  }, STOP_TIMEOUT_MS)
  await Promise.all(closing)
  clearTimeout(timer)
}

const countersOf = (metrics: Metrics, hub: Hub) => {
  metrics.gauge('firstlight_relay_subscribers', 'Subscribers of the feed', () => hub.subscribers)
  metrics.gauge('firstlight_relay_ring_bytes', 'Bytes of flashblocks kept to resume from', hub.ringBytes)
  return {
    frames: metrics.counter('firstlight_relay_frames_total', 'Frames written to subscribers'),
    bytes: metrics.counter('firstlight_relay_bytes_total', 'Bytes written to subscribers'),
    cutOff: metrics.counter('firstlight_relay_cut_off_total', 'Subscribers cut off, by reason', ['reason']),
  }
}
