// WebSocket handshakes pass the routes like any request, so admission, refusals and request ids are the same. A route takes the socket over
// with `takeUpgrade`.
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'

/** The response to a handshake: either a refusal, or the socket is taken from it. */
class HandshakeResponse extends ServerResponse {
  readonly upgradeSocket: Socket
  /** What the client sent after the handshake, usually nothing. */
  readonly head: Buffer

  constructor(request: IncomingMessage, socket: Socket, head: Buffer) {
    super(request)
    this.upgradeSocket = socket
    this.head = head
    this.shouldKeepAlive = false
  }
}

/** May be called several times for one server. */
export function routeUpgrades(app: FastifyInstance): void {
  if (app.server.listenerCount('upgrade') > 0) return
  // A request to upgrade to another protocol is answered as a plain request.
  Object.assign(app.server, { shouldUpgradeCallback: isWebSocketHandshake })
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Without a listener an error of the socket would end the process.
    socket.on('error', () => undefined)
    // The client is gone already.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const response = new HandshakeResponse(request, socket, head)
    if (!isAssigned(response, socket)) return void socket.destroy()
    response.once('finish', () => socket.end())
    // A handshake at / is one at /ws.
    if (/^\/(\?|$)/.test(request.url!)) request.url = `/ws${request.url!.slice(1)}`
    app.routing(request, response)
  })
}

/** False while an earlier request on the same connection has no answer yet. */
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

/** Undefined where the request is no handshake, or the client is gone. */
export function socketOf({ raw }: FastifyReply): Socket | undefined {
  return raw instanceof HandshakeResponse && !raw.upgradeSocket.destroyed ? raw.upgradeSocket : undefined
}

/** Only where `socketOf` has found a socket. After this the request is no longer HTTP. A malformed handshake emits `wsClientError` on `sockets`. */
export function takeUpgrade(
  sockets: WebSocketServer,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  onOpen: (client: WebSocket) => void,
): void {
  const { upgradeSocket, head } = reply.raw as HandshakeResponse
  reply.hijack()
  reply.raw.detachSocket(upgradeSocket)
  sockets.handleUpgrade(request.raw, upgradeSocket, head, onOpen)
}
