// Bodies over real sockets. Most heads announce bodies that are never sent: a refusal must not wait for them.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../../test/support/free-port.ts'
import { Failure } from '../../contract/failure.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../lib/metrics.ts'
import { addSourcifyRoutes } from '../api/sourcify.ts'
import { createApp } from '../app.ts'
import { addRpcRoutes } from '../rpc/rpc.ts'

const MB = 1_000_000
const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

let refusal: Failure | undefined
const admission = {
  limitAddress: async () => {
    if (refusal) throw refusal
  },
}
afterEach(() => {
  refusal = undefined
})

let metrics = createMetrics()

async function start(bodyBudgetBytes: number): Promise<number> {
  const log = createLog({ level: 'silent', pretty: false })
  metrics = createMetrics()
  const app = createApp({ log, metrics, trustedProxies: [], maxConnections: 100, bodyBudgetBytes })
  addRpcRoutes(app, {
    admission,
    answer: async (body) => ({ text: String(body.length), ageMs: undefined, work: undefined }),
    log,
  })
  const notAsked = async () => ({ status: 200, body: {} })
  addSourcifyRoutes(app, { admission, sourcify: { contract: notAsked, verify: notAsked, job: notAsked }, log })
  app.post('/large', { bodyLimit: 50 * MB }, async (request) => String((request.body as Buffer).length))
  const port = Number(await freePort())
  await app.listen({ host: '127.0.0.1', port })
  stops.push(() => app.close())
  return port
}

async function sent(port: number, path: string, head: string, body = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  stops.push(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${head}\r\n\r\n${body}`)
  return socket
}

/** Waits until the server has counted this many bytes of bodies. */
async function counted(bytes: number): Promise<void> {
  const read = async () => Number(/^firstlight_body_bytes (\d+)$/m.exec(await metrics.text())?.[1])
  await expect.poll(read, { timeout: 20_000 }).toBeGreaterThan(bytes)
}

async function statusOf(socket: Socket): Promise<number> {
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return Number(/^HTTP\/1.1 (\d+)/.exec(chunk.toString())?.[1])
}

test.each([
  ['/', 6 * MB],
  ['/flashblocks', 6 * MB],
  ['/v2/verify/1/0x00', 11 * MB],
  ['/large', 51 * MB],
])('a body that %s does not take is refused by its length before it is sent', async (path, bytes) => {
  const port = await start(500 * MB)
  expect(await statusOf(await sent(port, path, `Content-Length: ${bytes}`))).toBe(413)
})

test.each(['/', '/flashblocks', '/v2/verify/1/0x00', '/large'])(
  'a body to %s over the budget of the process is refused before it is sent, and a small one is not',
  async (path) => {
    const port = await start(2 * MB)
    expect(await statusOf(await sent(port, path, `Content-Length: ${4 * MB}`))).toBe(503)
    expect(await statusOf(await sent(port, path, 'Content-Length: 2', '{}'))).toBe(200)
  },
)

test('a body without a length is refused as soon as it has grown over the budget', async () => {
  const port = await start(2 * MB)
  const chunk = `${(MB).toString(16)}\r\n${' '.repeat(MB)}\r\n`
  const socket = await sent(port, '/large', 'Transfer-Encoding: chunked', chunk.repeat(3))
  expect(await statusOf(socket)).toBe(503)
  const within = await sent(port, '/large', 'Transfer-Encoding: chunked', `${chunk}0\r\n\r\n`)
  expect(await statusOf(within)).toBe(200)
})

test('an address with large bodies under way is refused another, until one of them is gone', async () => {
  const port = await start(500 * MB)
  const first = await sent(port, '/large', `Content-Length: ${45 * MB}`, ' '.repeat(40 * MB))
  const status = async () => statusOf(await sent(port, '/large', `Content-Length: ${45 * MB}`, ' '.repeat(45 * MB)))
  await counted(39 * MB)
  expect(await status()).toBe(429)
  first.destroy()
  await expect.poll(status, { timeout: 20_000 }).toBe(200)
})

test.each(['/', '/flashblocks', '/v2/verify/1/0x00'])(
  'a large body to %s that is refused by the rate limit is not received: the connection is closed',
  async (path) => {
    const port = await start(500 * MB)
    refusal = new Failure('tooManyRequests', 'Requests too frequent.', { retryAfterS: 1 })
    const large = await sent(port, path, `Content-Length: ${3 * MB}`)
    expect(await statusOf(large)).toBe(429)
    await once(large, 'close')
    const small = await sent(port, path, 'Content-Length: 2', '{}')
    expect(await statusOf(small)).toBe(429)
    small.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`)
    expect(await statusOf(small)).toBe(429)
  },
)

test.each(['/', '/large'])(
  'bodies to %s that are announced and never sent take nothing from an honest one',
  async (path) => {
    const port = await start(6 * MB)
    for (let i = 0; i < 30; i++) await sent(port, path, `Content-Length: ${4 * MB}`)
    expect(await statusOf(await sent(port, path, `Content-Length: ${4 * MB}`, ' '.repeat(4 * MB)))).toBe(200)
  },
)

test.each(['/', '/large'])(
  'a body to %s is refused while it arrives where another one has grown meanwhile',
  async (path) => {
    const port = await start(6 * MB)
    const second = await sent(port, path, `Content-Length: ${4 * MB}`)
    await sent(port, path, `Content-Length: ${4 * MB}`, ' '.repeat(4 * MB - 1))
    await counted(3.9 * MB)
    second.write(' '.repeat(3 * MB))
    expect(await statusOf(second)).toBe(503)
  },
)
