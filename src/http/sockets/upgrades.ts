// WebSocket handshakes go through the routes like any request: admission, refusals and request ids are the same, and a route takes the socket
// over with `takeUpgrade`.
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'

type Handshake = { socket: Socket; head: Buffer }

const handshakes = new WeakMap<IncomingMessage, Handshake>()
const routed = new WeakSet<FastifyInstance['server']>()

/** Once for a server, however often it is asked for. */
export function routeUpgrades(app: FastifyInstance): void {
  if (routed.has(app.server)) return
  routed.add(app.server)
  // Offers of other protocols are answered as the plain requests that they also are.
  Object.assign(app.server, { shouldUpgradeCallback: isWebSocketHandshake })
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A connection that breaks closes by itself; without a listener it would take the process with it.
    socket.on('error', () => undefined)
    // Gone already: there is no address to admit, nor anyone to answer.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    if (!isAssigned(response, socket)) return void socket.destroy()
    response.once('finish', () => socket.end())
    handshakes.set(request, { socket, head })
    // As a page / is not a WebSocket, as a handshake it is the one of /ws.
    if (/^\/(\?|$)/.test(request.url!)) request.url = `/ws${request.url!.slice(1)}`
    app.routing(request, response)
  })
}

/** Not while an earlier request on the same connection waits for its answer: a handshake that was sent behind it has no place. */
function isAssigned(response: ServerResponse, socket: Socket): boolean {
  try {
    response.assignSocket(socket)
    return true
  } catch {
    return false
  }
}

function isWebSocketHandshake({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** The raw socket of a handshake; undefined where the request is none, or its client is gone. */
export function socketOf({ raw }: FastifyRequest): Socket | undefined {
  const socket = handshakes.get(raw)?.socket
  return socket?.destroyed ? undefined : socket
}

/** Ends the request's life as HTTP. A malformed handshake never opens: `sockets` says so as `wsClientError`. */
export function takeUpgrade(
  sockets: WebSocketServer,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  onOpen: (client: WebSocket) => void,
): void {
  const { socket, head } = handshakes.get(request.raw)!
  reply.hijack()
  reply.raw.detachSocket(socket)
  sockets.handleUpgrade(request.raw, socket, head, onOpen)
}
