// The pages' WebSocket where several processes serve one port: each of them tells everything.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../support/free-port.ts'
import { sendEarlyInBlock, signedPayment } from '../support/payments.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const START_TIMEOUT_MS = 180_000
const MEET_EVERY_MS = 50
const PROCESSES = 3
/** The system spreads connections: that all of these meet one process is one chance in hundred thousands. */
const READERS = 12

type Reader = { readonly socket: WebSocket; readonly heard: Map<string, string[]> }

let server: TestServer
let nodeUrl: string
const readers: Reader[] = []

async function openReader(topics: readonly string[]): Promise<Reader> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/live`)
  const reader: Reader = { socket, heard: new Map(topics.map((topic) => [topic, []])) }
  socket.on('message', (frame) => {
    const { topic, html } = JSON.parse(String(frame)) as { topic: string; html: string }
    reader.heard.get(topic)!.push(html)
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ subscribe: topics }))
  return reader
}

type Status = { pid: number; preconfirmations: { feed: { upstreams: { isConnected: boolean }[] } } | null }

/** Processes that hear the feed, as far as a request has met them. */
const hearing = new Set<number>()
async function meetOne(): Promise<number> {
  const response = await fetch(`${server.url}/status`, { headers: { connection: 'close' } })
  const { pid, preconfirmations } = (await response.json()) as Status
  if (preconfirmations?.feed.upstreams.some(({ isConnected }) => isConnected)) hearing.add(pid)
  return hearing.size
}

beforeAll(async () => {
  const port = await freePort()
  nodeUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({
    ROLES: 'indexer,api,rpc,web',
    DEVNET_PORT: port,
    DEVNET_TPS: '4',
    // Long enough for every process to tell of a preconfirmation before the block makes it history.
    DEVNET_BLOCK_MS: '3000',
    API_PROCESSES: String(PROCESSES - 1),
    RATE_LIMIT_IP: '0',
  })
  while ((await meetOne()) < PROCESSES) await sleep(MEET_EVERY_MS)
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
  const everyone = (topic: RegExp, isTold: (texts: readonly string[]) => boolean) =>
    until(
      async () =>
        readers.map(({ heard }) => [...heard].filter(([name]) => topic.test(name)).flatMap(([, texts]) => texts)),
      (told) => told.every(isTold),
    )

  test('pushes flashblocks between one block and the next', async () => {
    const barsOf = (html: string) => html.split('<meter').length - 1
    // A block that comes again has one flashblock more.
    await everyone(/^flashblocks$/, (texts) =>
      texts.some((html, i) => i > 1 && barsOf(html) === barsOf(texts[i - 1]!) + 1),
    )
  })

  test('tells of blocks, figures, and transactions before and after their block', async () => {
    await everyone(/^blocks$/, (texts) => texts.length >= 3)
    await everyone(/^figures$/, (texts) => texts.length >= 3)
    await everyone(/^home-transactions$/, (texts) => {
      const promised = texts.flatMap((html) => [...html.matchAll(/data-key="(\w+)" data-version="preconfirmed"/g)])
      return promised.some(([, hash]) =>
        texts.some((html) => new RegExp(`data-key="${hash}" data-version="\\d`).test(html)),
      )
    })
  })

  test('tells the steps of a transaction', async () => {
    await everyone(/^tx:/, (texts) => {
      const stages = texts.map((html) => /data-stage="(\w*)"/.exec(html)?.[1] ?? '')
      return stages.includes('preconfirmed') && stages.includes('included')
    })
    expect(readers).toHaveLength(READERS)
  })
})
