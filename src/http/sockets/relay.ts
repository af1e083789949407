// The relay for subscribers: GET /flashblocks as a WebSocket (§6). The hub makes every WebSocket frame once; it is written unchanged to each socket.
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '../../contract/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Hub } from '../../relay/hub.ts'
import type { Admission } from '../admission/admission.ts'
import { type ConnectionLimits, createConnectionLimit } from '../admission/connection-limits.ts'
import type { KeyCheck } from '../rpc/rpc-keys.ts'
import { closeAll, refuseHandshake, sendUpgradeRequired } from './handshake.ts'
import { pingUntilClosed } from './heartbeat.ts'
import { parseRelayQuery, type RelayQuery } from './relay-query.ts'
import { routeUpgrades, socketOf, takeUpgrade } from './upgrades.ts'

export type RelayOptions = {
  hub: Hub
  metrics: Metrics
  admission: Pick<Admission, 'limitAddress'>
  limits: ConnectionLimits
  /** Set where a key is required. */
  admitKey?: KeyCheck | undefined
  pingMs?: number
  /** Redirects browsers that ask for a page. */
  browserPage?: string | undefined
}

const PING_MS = 15_000
const MAX_INCOMING_BYTES = 4_096
const CLOSE_TIMEOUT_MS = 5_000

const TRY_AGAIN_LATER = 1013

export function addRelay(app: FastifyInstance, options: RelayOptions): void {
  const { hub, metrics, admission, limits, admitKey, browserPage, pingMs = PING_MS } = options
  const connections = createConnectionLimit(limits, 'subscriptions to the feed')
  const clients = new Set<WebSocket>()
  const counts = countersOf(metrics, hub)
  const sockets = socketServers()

  const serve = (client: WebSocket, socket: Socket, query: RelayQuery) => {
    clients.add(client)
    const subscription = hub.subscribe(
      {
        write: (frame) => {
          // Nothing may be written after a close frame.
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
      { ...query, encoding: query.encoding ?? (client.extensions ? 'deflate' : 'plain') },
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
    const socket = socketOf(reply)
    if (!socket && browserPage && isBrowser(request)) return reply.redirect(browserPage, 302)
    const query = parseRelayQuery(request.query)
    if (!socket) return sendUpgradeRequired(reply, NO_SOCKET)
    socket.once('close', connections.take(request.ip))
    const server = query.encoding || asksForSmallWindow(request) ? sockets.uncompressed : sockets.compressed
    takeUpgrade(server, { request, reply }, (client) => serve(client, socket, query))
    return reply
  }

  routeUpgrades(app)
  for (const url of ['/flashblocks', '/flashblocks/:key']) {
    const onRequest = admitKey ? [admission.limitAddress, admitKey] : admission.limitAddress
    app.get(url, { config: { label: 'relay' }, onRequest, handler })
  }
  app.addHook('preClose', () => closeAll(clients))
}

/** Browsers name HTML first in Accept. */
function isBrowser({ headers }: FastifyRequest): boolean {
  return /^\s*text\/html\b/.test(headers.accept ?? '')
}

/** Two servers, because compression is chosen in the handshake. */
function socketServers() {
  const common = {
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_INCOMING_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
  // A message is deflated once for all clients, so it cannot depend on earlier messages to one client.
  const perMessageDeflate = { serverNoContextTakeover: true, clientNoContextTakeover: true }
  const servers = {
    uncompressed: new WebSocketServer({ ...common, perMessageDeflate: false }),
    compressed: new WebSocketServer({ ...common, perMessageDeflate }),
  }
  for (const server of Object.values(servers)) server.on('wsClientError', refuseHandshake)
  return servers
}

/** A message is deflated once for all clients, with the default window. */
function asksForSmallWindow({ headers }: FastifyRequest): boolean {
  return headers['sec-websocket-extensions']?.includes('server_max_window_bits') ?? false
}

const NO_SOCKET = new Failure('malformedRequest', 'The feed is a WebSocket; JSON-RPC is a POST.')

function countersOf(metrics: Metrics, hub: Hub) {
  metrics.gauge('firstlight_relay_subscribers', 'Subscribers of the feed', () => hub.subscribers)
  metrics.gauge('firstlight_relay_ring_bytes', 'Bytes of flashblocks that subscribers can resume from', hub.ringBytes)
  return {
    frames: metrics.counter('firstlight_relay_frames_total', 'Frames written to subscribers'),
    bytes: metrics.counter('firstlight_relay_bytes_total', 'Bytes written to subscribers'),
    cutOff: metrics.counter('firstlight_relay_cut_off_total', 'Subscribers cut off, by reason', ['reason']),
  }
}
