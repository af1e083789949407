// JSON-RPC over WebSocket: GET /ws, and GET / with an upgrade. Answers are sent as they are ready, with subscriber events in between.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '../../contract/failure.ts'
import { errorText, idIn } from '../../lib/json/json-rpc.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { RpcChannel } from '../../rpc/server/channel.ts'
import { rpcErrorOf } from '../../rpc/server/server.ts'
import type { AddressLimit } from '../admission/admission.ts'
import { type ConnectionLimits, createConnectionLimit } from '../admission/connection-limits.ts'
import { failureOf } from '../admission/failures.ts'
import { MAX_BODY_BYTES } from '../rpc/rpc.ts'
import { clientOf, type KeyCheck } from '../rpc/rpc-keys.ts'
import { closeAll, refuseHandshake, sendUpgradeRequired } from './handshake.ts'
import { pingUntilClosed } from './heartbeat.ts'
import { writeEvents } from './subscriber-events.ts'
import { routeUpgrades, socketOf, takeUpgrade } from './upgrades.ts'

export type RpcSocketOptions = {
  rpc: Pick<RpcChannel, 'connect'>
  metrics: Metrics
  admission: AddressLimit
  admitKey?: KeyCheck | undefined
  limits: ConnectionLimits
  pingMs?: number
}

const PING_MS = 15_000
/** Requests of one connection that may wait for an answer. */
const MAX_UNDER_WAY = 100
/** A client that has not read so many bytes gets no subscriber events any more, because it is disconnected, and its requests wait. */
const MAX_UNREAD_BYTES = 1_000_000
const CLOSE_TIMEOUT_MS = 5_000
const TRY_AGAIN_LATER = 1013
const POLICY_VIOLATION = 1008
const TOO_SLOW = 'too slow'
/** A client that is refused so many times in a row is disconnected, because refusing is work too. */
const MAX_REFUSED = 20
const REFUSED_TOO_OFTEN = 'too many requests'

type Connected = { readonly socket: Socket; readonly name: string; readonly ip: string; readonly requestId: string }

export function addRpcSocket(app: FastifyInstance, options: RpcSocketOptions): void {
  const { rpc, metrics, admission, admitKey, limits, pingMs = PING_MS } = options
  const connections = createConnectionLimit(limits, 'connections for JSON-RPC')
  const clients = new Set<WebSocket>()
  metrics.gauge('firstlight_rpc_connections', 'Open WebSocket connections for JSON-RPC', () => clients.size)
  const cutOff = metrics.counter(
    'firstlight_rpc_connections_cut_off_total',
    'WebSocket connections for JSON-RPC that were closed, by reason',
    ['reason'],
  )
  // The types do not know `closeTimeout` yet.
  const settings = { noServer: true, clientTracking: false, maxPayload: MAX_BODY_BYTES, closeTimeout: CLOSE_TIMEOUT_MS }
  const sockets = new WebSocketServer(settings)
  sockets.on('wsClientError', refuseHandshake)

  const serve = (client: WebSocket, { socket, name, ip, requestId }: Connected) => {
    clients.add(client)
    const waiting: string[] = []
    let underWay = 0
    let refused = 0
    const end = (reason: string): void => {
      cutOff.inc({ reason })
      waiting.length = 0
      client.close(reason === TOO_SLOW ? TRY_AGAIN_LATER : POLICY_VIOLATION, reason)
      // Nothing that it still sends is read.
      client.pause()
    }
    const send = (text: string): void => {
      if (client.readyState === client.OPEN) client.send(text)
    }
    const connection = rpc.connect({
      client: name,
      push(ids, results) {
        if (client.readyState !== client.OPEN) return
        if (socket.writableLength > MAX_UNREAD_BYTES) end(TOO_SLOW)
        else writeEvents(socket, ids, results)
      },
      end,
    })
    const answerOf = async (request: string): Promise<{ text: string | undefined; isRefused: boolean }> => {
      try {
        await admission.limitMessage(ip, request.length)
        const { text } = await connection.answer(request)
        return { text, isRefused: false }
      } catch (error) {
        return { text: errorText(idIn(request), rpcErrorOf(failureOf(error, requestId))), isRefused: true }
      }
    }
    const answerOne = async (request: string): Promise<void> => {
      underWay++
      const { text, isRefused } = await answerOf(request)
      underWay--
      if (text !== undefined) send(text)
      refused = isRefused ? refused + 1 : 0
      if (refused === MAX_REFUSED) end(REFUSED_TOO_OFTEN)
      answerWaiting()
    }
    /**
     * A client that sends requests faster than they are answered, or that does not read its answers, is not read from, so at most the
     * requests of one read wait.
     */
    const answerWaiting = (): void => {
      const isReading = () => socket.writableLength <= MAX_UNREAD_BYTES
      while (underWay < MAX_UNDER_WAY && waiting.length > 0 && isReading()) void answerOne(waiting.shift()!)
      if (client.readyState !== client.OPEN) return
      if (waiting.length > 0 || !isReading()) client.pause()
      else if (client.isPaused) client.resume()
    }
    client.on('message', (frame) => {
      if (client.readyState !== client.OPEN) return
      waiting.push(String(frame))
      answerWaiting()
    })
    socket.on('drain', answerWaiting)
    pingUntilClosed(client, { everyMs: pingMs, onDead: () => cutOff.inc({ reason: 'dead' }) })
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
        const socket = socketOf(reply)
        if (!socket)
          return sendUpgradeRequired(reply, new Failure('malformedRequest', 'This is a WebSocket for JSON-RPC.'))
        socket.once('close', connections.take(request.ip))
        const connected = {
          socket,
          name: clientOf(request, admitKey !== undefined),
          ip: request.ip,
          requestId: request.id,
        }
        takeUpgrade(sockets, { request, reply }, (client) => serve(client, connected))
        return reply
      },
    })
  }
  app.addHook('preClose', () => closeAll(clients))
}
