// The WebSocket of the pages where several processes serve one port: each of them sends all updates.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../support/free-port.ts'
import { sendEarlyInBlock, signedPayment } from '../support/payments.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const START_TIMEOUT_MS = 180_000
const ASK_EVERY_MS = 50
const PROCESSES = 3
/** The system spreads connections: that all of these meet one process is one chance in hundred thousands. */
const READERS = 12

type Reader = { readonly socket: WebSocket; readonly received: Map<string, string[]> }

let server: TestServer
let nodeUrl: string
const readers: Reader[] = []

async function openReader(topics: readonly string[]): Promise<Reader> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/live`)
  const reader: Reader = { socket, received: new Map(topics.map((topic) => [topic, []])) }
  socket.on('message', (frame) => {
    const { topic, html } = JSON.parse(String(frame)) as { topic: string; html: string }
    reader.received.get(topic)!.push(html)
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ subscribe: topics }))
  return reader
}

type Status = { pid: number; preconfirmations: { feed: { upstreams: { isConnected: boolean }[] } } | null }

/** Processes that are connected to the feed, as far as requests have reached them. */
const connected = new Set<number>()
async function askOne(): Promise<number> {
  const response = await fetch(`${server.url}/status`, { headers: { connection: 'close' } })
  const { pid, preconfirmations } = (await response.json()) as Status
  if (preconfirmations?.feed.upstreams.some(({ isConnected }) => isConnected)) connected.add(pid)
  return connected.size
}

beforeAll(async () => {
  const port = await freePort()
  nodeUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({
    ROLES: 'indexer,api,rpc,web',
    DEVNET_PORT: port,
    DEVNET_TPS: '4',
    // Long enough for every process to send a preconfirmation before the block includes the transaction.
    DEVNET_BLOCK_MS: '3000',
    API_PROCESSES: String(PROCESSES - 1),
    RATE_LIMIT_IP: '0',
  })
  while ((await askOne()) < PROCESSES) await sleep(ASK_EVERY_MS)
  const { raw, hash } = await signedPayment(nodeUrl)
  const topics = ['blocks', 'home-transactions', 'flashblocks', 'figures', `tx:${hash}`]
  for (let i = 0; i < READERS; i++) readers.push(await openReader(topics))
  await sendEarlyInBlock(nodeUrl, raw)
}, START_TIMEOUT_MS)

afterAll(async () => {
  for (const { socket } of readers) socket.terminate()
  await server?.stop()
})

describe('every process that serves pages', () => {
  const everyone = (topic: RegExp, isComplete: (texts: readonly string[]) => boolean) =>
    until(
      async () =>
        readers.map(({ received }) => [...received].filter(([name]) => topic.test(name)).flatMap(([, texts]) => texts)),
      (texts) => texts.every(isComplete),
    )

  test('every process sends flashblocks between one block and the next', async () => {
    const barsOf = (html: string) => html.split('<meter').length - 1
    // A block that comes again has one flashblock more.
    await everyone(/^flashblocks$/, (texts) =>
      texts.some((html, i) => i > 1 && barsOf(html) === barsOf(texts[i - 1]!) + 1),
    )
  })

  test('every process sends blocks, figures, and transactions before and after their block', async () => {
    await everyone(/^blocks$/, (texts) => texts.length >= 3)
    await everyone(/^figures$/, (texts) => texts.length >= 3)
    await everyone(/^home-transactions$/, (texts) => {
      const preconfirmed = texts.flatMap((html) => [...html.matchAll(/data-key="(\w+)" data-version="preconfirmed"/g)])
      return preconfirmed.some(([, hash]) =>
        texts.some((html) => new RegExp(`data-key="${hash}" data-version="\\d`).test(html)),
      )
    })
  })

  test('every process sends the stages of a transaction', async () => {
    await everyone(/^tx:/, (texts) => {
      const stages = texts.map((html) => /data-stage="(\w*)"/.exec(html)?.[1] ?? '')
      return stages.includes('preconfirmed') && stages.includes('included')
    })
    expect(readers).toHaveLength(READERS)
  })
})
