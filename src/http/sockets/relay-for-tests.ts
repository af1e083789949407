// A relay on a free port, and clients of it.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ClientOptions, WebSocket } from 'ws'
import { freePort } from '../../../test/support/free-port.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics, type Metrics } from '../../lib/metrics.ts'
import { saidBy } from '../../relay/flashblocks-for-tests.ts'
import { createHub, type Hub, type HubOptions } from '../../relay/hub.ts'
import { createApp } from '../app.ts'
import { addRelay, type RelayOptions } from './relay.ts'

export type TestRelay = { hub: Hub; metrics: Metrics; port: number; url: string; stop: () => Promise<void> }

export async function startTestRelay(
  options: Partial<RelayOptions> & { hubOptions?: HubOptions } = {},
): Promise<TestRelay> {
  const { hubOptions, ...rest } = options
  const hub = createHub(hubOptions)
  const metrics = createMetrics()
  const log = createLog({ level: 'warn', pretty: false })
  const app = createApp({ log, metrics, trustedProxies: ['127.0.0.1'], maxConnections: 10_000 })
  const admission = { limitAddress: async () => undefined }
  addRelay(app, { hub, metrics, admission, limits: { total: 10_000, perAddress: 10_000 }, ...rest })
  const port = Number(await freePort())
  await app.listen({ host: '127.0.0.1', port })
  return { hub, metrics, port, url: `ws://127.0.0.1:${port}/flashblocks`, stop: () => app.close() }
}

export type TestClient = {
  socket: WebSocket
  texts: string[]
  isBinary: boolean[]
  said: () => unknown[]
  closed: Promise<{ code: number; reason: string }>
}

export async function subscribe(url: string, options: ClientOptions = {}): Promise<TestClient> {
  const socket = new WebSocket(url, options)
  const texts: string[] = []
  const isBinary: boolean[] = []
  socket.on('message', (message: Buffer, binary: boolean) => {
    texts.push(message.toString('latin1'))
    isBinary.push(binary)
  })
  const { promise: closed, resolve } = Promise.withResolvers<{ code: number; reason: string }>()
  socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  await once(socket, 'open')
  return { socket, texts, isBinary, said: () => texts.map(saidBy), closed }
}

/** The status and body with which a handshake is refused. */
export async function refusal(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(url, { headers })
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  socket.on('open', () => reject(new Error('the handshake was not refused')))
  socket.on('error', reject)
  socket.on('unexpected-response', async (_request, response) => {
    let body = ''
    for await (const chunk of response) body += chunk
    resolve({ status: response.statusCode!, body })
  })
  return promise
}

export const HANDSHAKE =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

/** Shakes hands and then reads nothing more, until it is resumed. */
export async function stall(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET /flashblocks HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}`)
  await once(socket, 'data')
  socket.pause()
  return socket
}
