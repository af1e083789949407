// The feed client over real sockets: servers that speak every dialect, lie, break off, and go silent.
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { wireTo } from '../../../test/support/cut-off.ts'
import { rpc, startStillDevnet } from '../../../test/support/devnet.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { flashblockMessage } from '../../contract/flashblock.ts'
import { startTestRelay } from '../../http/sockets/relay-for-tests.ts'
import { createLog } from '../../lib/log.ts'
import { outgoingText } from '../../relay/outgoing-flashblock.ts'
import { createFeed, type Feed, type FeedEvent, type FeedOptions } from './feed.ts'

const RECORDING = new URL('../../../../shared/fixtures/flashblocks/unichain-sepolia-35535698.json', import.meta.url)
const isRecorded = existsSync(RECORDING)
if (!isRecorded)
  console.log('The recorded flashblocks are not beside the repository: tests that read them are skipped.')
// biome-ignore lint/suspicious/noExplicitAny: messages are bent in every way
const recorded: any[] = isRecorded ? JSON.parse(readFileSync(RECORDING, 'utf8')) : []

const log = createLog({ level: 'silent', pretty: false })
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

type Upstream = { readonly url: string; readonly clients: WebSocket[]; send(frame: string | Uint8Array): void }

async function startUpstream(
  onClient: (client: WebSocket) => void = () => {},
  verifyClient: (info: { req: IncomingMessage }) => boolean = () => true,
): Promise<Upstream> {
  const port = Number(await freePort())
  const server = new WebSocketServer({ port, host: '127.0.0.1', verifyClient })
  const clients: WebSocket[] = []
  server.on('connection', (client) => {
    client.on('error', () => client.terminate())
    clients.push(client)
    onClient(client)
  })
  cleanups.push(() => {
    for (const client of clients) client.terminate()
    server.close()
  })
  return {
    url: `ws://127.0.0.1:${port}`,
    clients,
    send: (frame) => {
      for (const client of clients) client.send(frame)
    },
  }
}

type Subscription = { readonly feed: Feed; readonly events: FeedEvent[] }

function subscribe(urls: readonly string[], options: Partial<FeedOptions> = {}): Subscription {
  const stopping = new AbortController()
  const feed = createFeed({ urls, log, longestPauseMs: 20, ...options })
  const events: FeedEvent[] = []
  const receiving = (async () => {
    for await (const event of feed.events(stopping.signal)) events.push(event)
  })()
  cleanups.unshift(() => {
    stopping.abort()
    return receiving
  })
  return { feed, events }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

function indexesOf(events: readonly FeedEvent[]) {
  return events.map((event) => (event.type === 'end' ? 'end' : event.flashblock.index))
}

test.runIf(isRecorded)(
  'the feed reads text, binary, brotli with and without its mark, and wrapped messages',
  async () => {
    const upstream = await startUpstream()
    const { events } = subscribe([upstream.url])
    await until(() => upstream.clients.length === 1)
    const [plain, binary, packed, marked, wrapped] = recorded.map((message) => JSON.stringify(message))
    upstream.send(plain!)
    upstream.send(Buffer.from(binary!))
    upstream.send(brotliCompressSync(packed!))
    upstream.send(Buffer.concat([Buffer.of(0x1e), brotliCompressSync(marked!)]))
    upstream.send(`\n {"OpFlashblockPayload":${wrapped}}`)
    upstream.send(JSON.stringify({ payload_id: recorded[0].payload_id }))
    await until(() => events.length === 6)
    expect(indexesOf(events)).toEqual([0, 1, 2, 3, 4, 'end'])
  },
)

test.runIf(isRecorded)(
  'the feed parses a flashblock that two upstreams send once and hands it on for each, and one on which they contradict each other as another one',
  async () => {
    const [quick, slow] = [await startUpstream(), await startUpstream()]
    const { feed, events } = subscribe([quick.url, slow.url])
    await until(() => quick.clients.length + slow.clients.length === 2)
    for (const message of recorded) quick.send(JSON.stringify(message))
    await until(() => events.length === recorded.length)
    await new Promise((resolve) => setTimeout(resolve, 30))
    for (const message of recorded) slow.send(JSON.stringify(message))
    slow.send(JSON.stringify({ ...recorded[2], diff: { ...recorded[2].diff, gas_used: '0x1' } }))
    await until(() => events.length > 2 * recorded.length)
    expect(indexesOf(events)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 2])
    const flashblocks = events.map((event) => (event.type === 'flashblock' ? event.flashblock : null))
    expect(flashblocks.slice(5, 10).every((flashblock, i) => flashblock === flashblocks[i])).toBe(true)
    expect(flashblocks[10]).not.toBe(flashblocks[2])
    const [first, second] = feed.status().upstreams
    expect([first!.firsts, second!.firsts, second!.messages]).toEqual([5, 1, 6])
    expect(second!.lagMs!).toBeGreaterThan(first!.lagMs!)
  },
)

test.runIf(isRecorded)('the feed counts messages that it cannot read and goes on', async () => {
  const upstream = await startUpstream()
  const { feed, events } = subscribe([upstream.url])
  await until(() => upstream.clients.length === 1)
  const { base: _, ...baseless } = recorded[0]
  const garbled = { ...recorded[1], diff: { ...recorded[1].diff, transactions: ['0x02c0'] } }
  for (const bad of ['{"payload_id":', 'hello', '[]', JSON.stringify(baseless), JSON.stringify(garbled)]) {
    upstream.send(bad)
  }
  upstream.send(brotliCompressSync(JSON.stringify(recorded[0])).subarray(0, 100))
  upstream.send(JSON.stringify(recorded[0]))
  await until(() => events.length === 1)
  expect(feed.status().upstreams[0]!.unreadable).toBe(6)
})

test.runIf(isRecorded)('the feed disconnects from an upstream whose message is too long, and comes back', async () => {
  const upstream = await startUpstream()
  const { feed, events } = subscribe([upstream.url], { maxMessageBytes: 50_000 })
  await until(() => upstream.clients.length === 1)
  upstream.send(JSON.stringify({ ...recorded[0], padding: 'x'.repeat(60_000) }))
  await until(() => upstream.clients.length === 2 && feed.status().upstreams[0]!.isConnected)
  upstream.clients[1]!.send(JSON.stringify(recorded[0]))
  await until(() => events.length === 1)
  expect(feed.status().upstreams[0]!.connections).toBe(2)
})

test.runIf(isRecorded)('the feed refuses a small WebSocket frame that unpacks to a large one', async () => {
  const upstream = await startUpstream()
  const { feed } = subscribe([upstream.url], { maxMessageBytes: 50_000 })
  await until(() => upstream.clients.length === 1)
  upstream.send(brotliCompressSync(JSON.stringify({ ...recorded[0], padding: 'x'.repeat(1_000_000) })))
  await until(() => feed.status().upstreams[0]!.unreadable === 1)
})

test('the feed leaves a peer that stops answering, and one that answers pings but sends nothing', async () => {
  const frozen = await startUpstream((client) => client.pause())
  const silent = await startUpstream()
  subscribe([frozen.url, silent.url], { pingMs: 20, silenceMs: 100 })
  await until(() => frozen.clients.length > 1 && silent.clients.length > 1)
})

test('the feed goes on trying an upstream that is not there while another one sends', async () => {
  const devnet = await startStillDevnet()
  cleanups.push(() => devnet.stop())
  const { feed, events } = subscribe([`ws://127.0.0.1:${await freePort()}`, devnet.feedUrl])
  await until(() => feed.status().upstreams[1]!.isConnected)
  for (let i = 0; i < 7; i++) await rpc(devnet.url, 'devnet_step')
  await until(() => events.length === 7)
  expect(indexesOf(events)).toEqual([0, 1, 2, 3, 4, 0, 1])
  expect(feed.status().upstreams[0]).toMatchObject({ isConnected: false, trouble: expect.any(String) })
})

test.runIf(isRecorded)('the feed resumes a relay where it broke off, and misses nothing', async () => {
  const relay = await startTestRelay()
  const wire = await wireTo({ host: '127.0.0.1', port: relay.port })
  cleanups.push(
    () => relay.stop(),
    () => wire.stop(),
  )
  const { feed, events } = subscribe([`ws://127.0.0.1:${wire.port}/flashblocks`])
  await until(() => relay.hub.subscribers === 1)
  const [first, second, ...missed] = recorded.map((message) => outgoingText(flashblockMessage.parse(message)))
  relay.hub.publish(first!)
  relay.hub.publish(second!)
  await until(() => events.length === 2)
  wire.cut()
  await until(() => relay.hub.subscribers === 0)
  for (const each of missed) relay.hub.publish(each)
  wire.mend()
  await until(() => events.length === recorded.length)
  expect(indexesOf(events)).toEqual([0, 1, 2, 3, 4])
  expect(feed.status().upstreams[0]).toMatchObject({ connections: 2, unreadable: 0 })
})

test.runIf(isRecorded)('the feed asks without a position to resume from where an upstream refuses one', async () => {
  const asked: string[] = []
  const verifyClient = ({ req }: { req: IncomingMessage }) => {
    asked.push(req.url!)
    return !req.url!.includes('?')
  }
  const upstream = await startUpstream((client) => client.send(JSON.stringify(recorded[asked.length])), verifyClient)
  const { events } = subscribe([upstream.url])
  await until(() => events.length === 1)
  for (let i = 0; i < 2; i++) {
    upstream.clients[i]!.terminate()
    await until(() => events.length === i + 2)
  }
  const { block_number } = recorded[1].metadata
  expect(asked).toEqual(['/', `/?block_number=${block_number}&flashblock_index=1`, '/', '/'])
})

test.runIf(isRecorded)('the feed drops the oldest messages where the consumer is too slow', async () => {
  const upstream = await startUpstream()
  const feed = createFeed({ urls: [upstream.url], log, maxWaiting: 2 })
  const stopping = new AbortController()
  const events = feed.events(stopping.signal)
  const first = events.next()
  await until(() => upstream.clients.length === 1)
  upstream.send(JSON.stringify(recorded[0]))
  expect((await first).value).toMatchObject({ flashblock: { index: 0 } })
  for (const message of recorded.slice(1)) upstream.send(JSON.stringify(message))
  await until(() => feed.status().lost === 2)
  expect((await events.next()).value).toMatchObject({ flashblock: { index: 3 } })
  stopping.abort()
  expect((await events.next()).done).toBe(true)
})
