// JSON-RPC over WebSocket: GET /ws, and GET / with an upgrade. Answers are sent as they are ready, with subscriber events in between.
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '../../contract/failure.ts'
import { errorText } from '../../lib/json/json-rpc.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { RpcChannel } from '../../rpc/server/channel.ts'
import { rpcErrorOf } from '../../rpc/server/dispatch.ts'
import type { Admission } from '../admission/admission.ts'
import { failureOf } from '../admission/failures.ts'
import { MAX_BODY_BYTES } from '../rpc/rpc.ts'
import type { KeyCheck } from '../rpc/rpc-keys.ts'
import { type ConnectionLimits, createConnectionLimit } from './connection-limits.ts'
import { closeAll, refuseHandshake, sendUpgradeRequired } from './handshake.ts'
import { pingUntilClosed } from './heartbeat.ts'
import { routeUpgrades, socketOf, takeUpgrade } from './upgrades.ts'

export type RpcSocketOptions = {
  rpc: Pick<RpcChannel, 'connect'>
  metrics: Metrics
  admission: Pick<Admission, 'limitAddress'>
  admitKey?: KeyCheck | undefined
  limits: ConnectionLimits
  pingMs?: number
}

const PING_MS = 15_000
/** Requests of one connection that may wait for an answer. */
const MAX_UNDER_WAY = 100
/** A client that has not read so many bytes is disconnected. */
const MAX_UNREAD_BYTES = 16_000_000
const CLOSE_TIMEOUT_MS = 5_000
const TRY_AGAIN_LATER = 1013

export function addRpcSocket(app: FastifyInstance, options: RpcSocketOptions): void {
  const { rpc, metrics, admission, admitKey, limits, pingMs = PING_MS } = options
  const places = createConnectionLimit(limits, 'connections for JSON-RPC')
  const clients = new Set<WebSocket>()
  metrics.gauge('firstlight_rpc_connections', 'Open WebSocket connections for JSON-RPC', () => clients.size)
  // The types do not know `closeTimeout` yet.
  const settings = { noServer: true, clientTracking: false, maxPayload: MAX_BODY_BYTES, closeTimeout: CLOSE_TIMEOUT_MS }
  const sockets = new WebSocketServer(settings)
  sockets.on('wsClientError', refuseHandshake)

  const serve = (client: WebSocket, requestId: string) => {
    clients.add(client)
    const waiting: string[] = []
    let underWay = 0
    const send = (text: string): void => {
      if (client.readyState !== client.OPEN) return
      if (client.bufferedAmount > MAX_UNREAD_BYTES) client.close(TRY_AGAIN_LATER, 'too slow')
      else client.send(text)
    }
    const connection = rpc.connect(send)
    const answerOf = async (request: string): Promise<string | undefined> => {
      try {
        return (await connection.answer(request)).text
      } catch (error) {
        return errorText(null, rpcErrorOf(failureOf(error, requestId)))
      }
    }
    const answerOne = async (request: string): Promise<void> => {
      underWay++
      const text = await answerOf(request)
      underWay--
      if (text !== undefined) send(text)
      answerWaiting()
    }
    /** A client that sends requests faster than they are answered is not read from, so at most the requests of one read wait. */
    const answerWaiting = (): void => {
      while (underWay < MAX_UNDER_WAY && waiting.length > 0) void answerOne(waiting.shift()!)
      if (waiting.length > 0) client.pause()
      else if (client.isPaused) client.resume()
    }
    client.on('message', (frame) => {
      waiting.push(String(frame))
      answerWaiting()
    })
    pingUntilClosed(client, { everyMs: pingMs, onDead: () => undefined })
    client.on('error', () => undefined)
    client.on('close', () => {
      waiting.length = 0
      connection.close()
      clients.delete(client)
    })
  }

  routeUpgrades(app)
  for (const url of ['/ws', '/ws/:key']) {
    app.get(url, {
      config: { label: 'rpc socket' },
      onRequest: admitKey ? [admission.limitAddress, admitKey] : admission.limitAddress,
      handler: async (request, reply) => {
        const socket = socketOf(request)
        if (!socket)
          return sendUpgradeRequired(reply, new Failure('malformedRequest', 'This is a WebSocket for JSON-RPC.'))
        socket.once('close', places.take(request.ip))
        takeUpgrade(sockets, { request, reply }, (client) => serve(client, request.id))
        return reply
      },
    })
  }
  app.addHook('preClose', () => closeAll(clients))
}
