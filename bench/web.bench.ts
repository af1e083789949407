// The cost of a page, and the time until it shows its data. CPU: each page rendered from an index at rest against bare node:http sending
// the same bytes, in milliseconds and pages per CPU-second of the serving process. Time: the home page against the leanest shell
// that fetches the same data from the same server, with a browser slowed down four times behind 1.6 Mbit/s and 150 ms.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../scripts/prerequisites.ts'
import { createClient } from '../src/client/client.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { startTestServer } from '../test/support/server.ts'
import { webPlaces } from '../test/support/web-places.ts'
import { startSpaShell } from './web/spa-shell.ts'

const LIFE_MS = 25_000
const REQUESTS = 300
const CONCURRENCY = 8
const VISITS = 9
const PAGES = ['home', 'blocks', 'block', 'txs', 'tx', 'address', 'token', 'accounts']
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }
const CPU_SLOWDOWN = 4

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

async function load(url: string, requests: number): Promise<void> {
  let left = requests
  const worker = async () => {
    while (left-- > 0) await (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

/** CPU time of the server so far. */
async function cpuMsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return 1000 * Number(/^firstlight_process_cpu_seconds_total (\S+)/m.exec(text)![1])
}

async function startBare() {
  const child = fork(fileURLToPath(new URL('./web/bare-server.ts', import.meta.url)))
  const [port] = (await once(child, 'message')) as [number]
  const sendToBare = async (message: object | string): Promise<number> => {
    child.send(message)
    return ((await once(child, 'message')) as [number])[0]
  }
  return { url: `http://127.0.0.1:${port}`, sendToBare, stop: () => child.kill() }
}

/** Milliseconds from the start of the navigation until the last list has rows, as the page itself counts them. */
async function timeToData(browser: Browser, url: string, selector: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  // The page itself looks, in each animation frame: a question from this process would wait behind other work.
  await page.addInitScript((rows) => {
    const look = () => {
      if (document.querySelector(rows)) Object.assign(globalThis, { seenMs: performance.now() })
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, selector)
  await page.goto(url, { waitUntil: 'commit' })
  const seen = await page.waitForFunction(() => (globalThis as { seenMs?: number }).seenMs)
  const ms = (await seen.jsonValue()) as number
  await context.close()
  return ms
}

const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-bench-'))
const alive = await startTestServer({ ROLES: 'indexer,api,web', DEVNET_TPS: '20' }, { dataDir, keepData: true })
await sleep(LIFE_MS)
const places = await webPlaces(createClient({ baseUrl: alive.url, credentials: alive.credentials }))
await alive.stop()

// Indexing is over, so that only serving is measured. No node answers at this URL.
const server = await startTestServer(
  { ROLES: 'api,web', RPC_URL: 'http://127.0.0.1:9', AUTH: 'off', RATE_LIMIT_IP: '0' },
  { dataDir, keepData: true },
)
const bare = await startBare()
const browser = await launchBrowser(await chromiumProgram())
const shell = await startSpaShell(server.url)
try {
  for (const name of PAGES) {
    const url = server.url + places[name]!
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    await bare.sendToBare({ bytes: bytes.toString('base64') })
    await load(url, REQUESTS)
    await load(bare.url, REQUESTS)
    const before = await cpuMsOf(server.url)
    await load(url, REQUESTS)
    const pageMs = ((await cpuMsOf(server.url)) - before) / REQUESTS
    const bareBefore = await bare.sendToBare('cpu')
    await load(bare.url, REQUESTS)
    const bareMs = ((await bare.sendToBare('cpu')) - bareBefore) / REQUESTS
    const rate = Math.round(1000 / pageMs)
    console.log(
      `${name.padEnd(9)} ${(bytes.length / 1024).toFixed(0).padStart(3)} KB  ${pageMs.toFixed(2)} ms CPU, ${rate} pages per CPU-second, ${(bareMs / pageMs).toFixed(2)} of bare node:http`,
    )
  }
  const home: number[] = []
  const fetched: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    home.push(await timeToData(browser, server.url, '[data-live=home-transactions] tbody tr'))
    fetched.push(await timeToData(browser, shell.url, '#transactions tr'))
  }
  console.log(
    `data visible, slow browser: home ${median(home).toFixed(0)} ms, shell that fetches ${median(fetched).toFixed(0)} ms; ratio ${(median(home) / median(fetched)).toFixed(2)}`,
  )
} finally {
  shell.stop()
  bare.stop()
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
