// Sockets for JSON-RPC whose clients do not read, or say that they live without reading.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../../../test/support/free-port.ts'
import { Failure } from '../../contract/failure.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics, type Metrics } from '../../lib/metrics.ts'
import type { ConnectedClient } from '../../rpc/server/channel.ts'
import { createApp } from '../app.ts'
import { HANDSHAKE } from './relay-for-tests.ts'
import { addRpcSocket } from './rpc-socket.ts'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const NO_ANSWER = { text: undefined, ageMs: undefined, work: undefined }

/** A server whose subscribers are all those who are connected. */
async function start(options: { pingMs?: number; sendBudgetBytes?: number; limitMessage?: () => Promise<void> } = {}) {
  const connected = new Set<ConnectedClient>()
  const metrics = createMetrics()
  const app = createApp({
    log: createLog({ level: 'silent', pretty: false }),
    metrics,
    trustedProxies: [],
    maxConnections: 1_000,
    sendBudgetBytes: options.sendBudgetBytes,
  })
  addRpcSocket(app, {
    rpc: {
      connect(client) {
        connected.add(client)
        return { answer: () => NO_ANSWER, close: () => void connected.delete(client) }
      },
    },
    metrics,
    admission: {
      limitAddress: async () => undefined,
      limitMessage: options.limitMessage ?? (async () => undefined),
    },
    limits: { total: 1_000, perAddress: 1_000 },
    pingMs: options.pingMs ?? 60_000,
  })
  const port = Number(await freePort())
  await app.listen({ host: '127.0.0.1', port })
  stops.push(() => app.close())
  return { connected, metrics, port }
}

async function stalled(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET /ws HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}`)
  await once(socket, 'data')
  socket.pause()
  stops.push(() => void socket.destroy())
  return socket
}

async function metric(metrics: Metrics, name: string): Promise<number> {
  return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(await metrics.text())?.[1] ?? 0)
}

function soon<T>(value: () => T | Promise<T>) {
  return expect.poll(value, { timeout: 30_000, interval: 20 })
}

test('a subscriber gets an event as one message with the id of its subscription', async () => {
  const { connected, port } = await start()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  stops.push(() => socket.terminate())
  await once(socket, 'open')
  const received = once(socket, 'message')
  await soon(() => connected.size).toBe(1)
  const [client] = connected
  client!.push(['0x1'], [new TextEncoder().encode(JSON.stringify({ text: 'ä'.repeat(40_000) }))])
  expect(JSON.parse(String((await received)[0]))).toEqual({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription: '0x1', result: { text: 'ä'.repeat(40_000) } },
  })
})

test('a hundred subscribers that never read cost one copy of an event each sees, and are closed after a megabyte', async () => {
  const { connected, metrics, port } = await start()
  await Promise.all(Array.from({ length: 100 }, () => stalled(port)))
  await soon(() => connected.size).toBe(100)
  const ids = Array.from({ length: 100 }, (_, i) => `0x${i.toString(16).padStart(32, '0')}`)
  const before = process.memoryUsage().arrayBuffers
  let pushed = 0
  while (connected.size > 0 && pushed < 1_000) {
    const event = new Uint8Array(100_000)
    for (const client of connected) client.push(ids, [event])
    pushed++
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 2_000_000)
  await soon(() => metric(metrics, 'firstlight_rpc_connections_cut_off_total')).toBe(100)
}, 60_000)

test('a client that sends pongs which nobody asked for is not alive', async () => {
  const { connected, port } = await start({ pingMs: 100 })
  const socket = await stalled(port)
  const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
  const timer = setInterval(() => socket.write(pong), 20)
  stops.push(() => clearInterval(timer))
  await soon(() => connected.size).toBe(1)
  await soon(() => connected.size).toBe(0)
})

test('connections that leave more unread than the budget are closed, those of the worst address first', async () => {
  const { connected, metrics, port } = await start({ sendBudgetBytes: 3_000_000 })
  await Promise.all(Array.from({ length: 40 }, () => stalled(port)))
  await soon(() => connected.size).toBe(40)
  // Below the bound of each socket, so that only the budget can end them.
  for (const client of connected) client.push(['0x1'], [new Uint8Array(8_000_000)])
  await soon(() => metric(metrics, 'firstlight_connections_over_budget_total')).toBeGreaterThan(30)
  await soon(() => metric(metrics, 'firstlight_unread_bytes')).toBeLessThan(3_000_000)
}, 60_000)

test('a client that goes on after twenty refusals is disconnected, and what it still sends is not read', async () => {
  let asked = 0
  const { port } = await start({
    limitMessage: async () => {
      asked++
      throw new Failure('tooManyRequests', 'Requests too frequent.')
    },
  })
  const client = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  stops.push(() => client.terminate())
  await once(client, 'open')
  const answers: string[] = []
  client.on('message', (text) => answers.push(String(text)))
  for (let id = 0; id < 1_000; id++) client.send(`{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`)
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  expect([code, String(reason)]).toEqual([1008, 'too many requests'])
  expect(answers).toHaveLength(20)
  // A hundred that were under way together, and those that began before the twentieth refusal.
  expect(asked).toBeLessThanOrEqual(120)
})
