// The feed for subscribers: GET /flashblocks as a WebSocket (§6). Every frame is made once by the hub and written as it is to each socket.
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '../../contract/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Hub } from '../../relay/hub.ts'
import type { Admission } from '../admission/admission.ts'
import type { KeyCheck } from '../rpc/rpc-keys.ts'
import { type ConnectionLimits, createConnectionLimit } from './connection-limits.ts'
import { closeAll, refuseHandshake, sendUpgradeRequired } from './handshake.ts'
import { pingUntilClosed } from './heartbeat.ts'
import { parseRelayQuery, type RelayQuery } from './relay-query.ts'
import { routeUpgrades, socketOf, takeUpgrade } from './upgrades.ts'

export type RelayOptions = {
  hub: Hub
  metrics: Metrics
  admission: Pick<Admission, 'limitAddress'>
  limits: ConnectionLimits
  /** Refuses who has no key, where keys are required at all. */
  admitKey?: KeyCheck | undefined
  pingMs?: number
  /** Where a browser is sent that wants a page and no socket. */
  readersPage?: string | undefined
}

const PING_MS = 15_000
/** Subscribers have nothing to say. */
const MAX_INCOMING_BYTES = 4_096
/** A client that does not answer to a close is cut off after this. */
const CLOSE_TIMEOUT_MS = 5_000

const TRY_AGAIN_LATER = 1013

export function addRelay(app: FastifyInstance, options: RelayOptions): void {
  const { hub, metrics, admission, limits, admitKey, readersPage, pingMs = PING_MS } = options
  const places = createConnectionLimit(limits, 'subscriptions to the feed')
  const clients = new Set<WebSocket>()
  const counts = countersOf(metrics, hub)
  const sockets = socketServers()

  const serve = (client: WebSocket, socket: Socket, wish: RelayQuery) => {
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
    pingUntilClosed(client, { everyMs: pingMs, onDead: () => counts.cutOff.inc({ reason: 'dead' }) })
    client.on('error', () => undefined)
    client.on('close', () => {
      subscription.end()
      clients.delete(client)
    })
  }

  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const socket = socketOf(request)
    if (!socket && readersPage && isReader(request)) return reply.redirect(readersPage, 302)
    const wish = parseRelayQuery(request.query)
    if (!socket) return sendUpgradeRequired(reply, NO_SOCKET)
    socket.once('close', places.take(request.ip))
    const server = wish.encoding || asksForSmallWindow(request) ? sockets.uncompressed : sockets.compressed
    takeUpgrade(server, { request, reply }, (client) => serve(client, socket, wish))
    return reply
  }

  routeUpgrades(app)
  for (const url of ['/flashblocks', '/flashblocks/:key']) {
    const onRequest = admitKey ? [admission.limitAddress, admitKey] : admission.limitAddress
    app.get(url, { config: { label: 'relay' }, onRequest, handler })
  }
  app.addHook('preClose', () => closeAll(clients))
}

/** Browsers name HTML first. */
function isReader({ headers }: FastifyRequest): boolean {
  return /^\s*text\/html\b/.test(headers.accept ?? '')
}

/** Two, because only the handshake can leave compression out. */
function socketServers() {
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

/** What is deflated once for all has the window that everyone else takes. */
function asksForSmallWindow({ headers }: FastifyRequest): boolean {
  return headers['sec-websocket-extensions']?.includes('server_max_window_bits') ?? false
}

const NO_SOCKET = new Failure('malformedRequest', 'The feed is a WebSocket; JSON-RPC is a POST.')

function countersOf(metrics: Metrics, hub: Hub) {
  metrics.gauge('firstlight_relay_subscribers', 'Subscribers of the feed', () => hub.subscribers)
  metrics.gauge('firstlight_relay_ring_bytes', 'Bytes of flashblocks kept to resume from', hub.ringBytes)
  return {
    frames: metrics.counter('firstlight_relay_frames_total', 'Frames written to subscribers'),
    bytes: metrics.counter('firstlight_relay_bytes_total', 'Bytes written to subscribers'),
    cutOff: metrics.counter('firstlight_relay_cut_off_total', 'Subscribers cut off, by reason', ['reason']),
  }
}
