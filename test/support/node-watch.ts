// How soon a Firstlight with default settings says that its node is dead, hangs, was replaced or stands still, and how soon it recovers.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { type NodeProxy, startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { launchBrowser, openPage } from './browser.ts'
import { rpc, startLivelyDevnet } from './devnet.ts'
import { startTestServer } from './server.ts'
import { type NodeState, startSwitchableNode } from './switchable-node.ts'

/** Seconds, by who says it. */
type Times = { readonly ready: number; readonly metric: number; readonly alert: number; readonly page: number }

export type WatchTimes = {
  readonly problem: string
  readonly noticed: Times
  /** Undefined where the problem stays. */
  readonly recovered?: Times
}

const BLOCK_MS = 2_000
const OTHER_CHAIN = 4_242
/** Enough heads to know how regular they are. */
const WATCHED_MS = 16_000
const OLD_HEAD_MS = 20_000
/** With a node, a web server and the index; Flashblocks have a watch of their own. */
const SETTINGS = { ROLES: 'indexer,api,web', NODE_STALE_MS: '0' }

export async function* watchTimes(chromium: string): AsyncGenerator<WatchTimes> {
  const stops: (() => unknown)[] = []
  const stopLater = <T extends { stop(): unknown }>(part: T): T => {
    stops.unshift(() => part.stop())
    return part
  }
  try {
    const devnet = stopLater(await startLivelyDevnet({ blockMs: BLOCK_MS, flashblockMs: 200 }))
    const other = stopLater(await startLivelyDevnet({ chainId: OTHER_CHAIN, blockMs: BLOCK_MS }))
    const frozen = stopLater(await startFreezable(devnet.url))
    const node = stopLater(await startSwitchableNode(frozen.url))
    const browser = await launchBrowser(chromium)
    stops.unshift(() => browser.close())
    const server = stopLater(await startTestServer({ ...SETTINGS, RPC_URL: node.url }))
    const page = await openLivePage(browser, server.url)
    await timesUntil(server.url, page, 'well')

    const measured = async (problem: string, begin: () => Promise<unknown>, end: () => Promise<unknown>) => {
      await sleep(WATCHED_MS)
      await begin()
      const noticed = await timesUntil(server.url, page, 'noticed')
      await end()
      return { problem, noticed, recovered: await timesUntil(server.url, page, 'well') }
    }
    const back = () => node.set({ type: 'at', url: frozen.url })
    const as = (state: NodeState) => () => node.set(state)
    yield await measured('killed', as({ type: 'dead' }), back)
    yield await measured('hanging', as({ type: 'hanging' }), back)
    yield await measured('replaced by a node of another chain', as({ type: 'at', url: other.url }), back)
    yield await measured(
      'answers an old head',
      () => frozen.freeze(),
      async () => frozen.thaw(),
    )

    await frozen.freeze()
    await sleep(OLD_HEAD_MS)
    const late = stopLater(await startTestServer({ ...SETTINGS, RPC_URL: frozen.url }))
    const latePage = await openLivePage(browser, late.url)
    yield {
      problem: 'its head was old before Firstlight started',
      noticed: await timesUntil(late.url, latePage, 'noticed'),
    }
  } finally {
    for (const stop of stops) await stop()
  }
}

/** A page that is kept up to date and never loaded again. Before the first block is indexed there is none. */
async function openLivePage(browser: Browser, url: string): Promise<Page> {
  const page = await openPage(browser)
  do await page.goto(`${url}/blocks`)
  while ((await page.locator('[data-live]').count()) === 0)
  return page
}

/** A node whose head can stand still, as that of a node behind a balancer that lost its peers. */
async function startFreezable(url: string): Promise<NodeProxy & { freeze(): Promise<void>; thaw(): void }> {
  let head: { number: string } | undefined
  const proxy = await startProxy(url, {
    rewrite: (method, result, params) => {
      if (head === undefined) return result
      if (method === 'eth_blockNumber') return head.number
      return method === 'eth_getBlockByNumber' && params[0] === 'latest' ? head : result
    },
  })
  return Object.assign(proxy, {
    async freeze() {
      head = await rpc(url, 'eth_getBlockByNumber', 'latest', false)
    },
    thaw() {
      head = undefined
    },
  })
}

const GIVE_UP_MS = 60_000
const POLL_MS = 100

/** Seconds until each of them says it. */
async function timesUntil(url: string, page: Page, state: 'noticed' | 'well'): Promise<Times> {
  const isProblem = state === 'noticed'
  const startedMs = Date.now()
  const secondsUntil = async (pollMs: number, isSo: () => Promise<boolean>): Promise<number> => {
    while (!(await isSo())) {
      if (Date.now() - startedMs > GIVE_UP_MS) return Number.POSITIVE_INFINITY
      await sleep(pollMs)
    }
    return (Date.now() - startedMs) / 1_000
  }
  const { metric, scrapeMs, evaluateMs } = alertRule('FirstlightNodeDown')
  const isDown = async () => new RegExp(`^${metric} 0$`, 'm').test(await (await fetch(`${url}/metrics`)).text())
  const [ready, metricSeconds, alert, banner] = await Promise.all([
    secondsUntil(POLL_MS, async () => ((await fetch(`${url}/ready`)).status !== 200) === isProblem),
    secondsUntil(POLL_MS, async () => (await isDown()) === isProblem),
    // At worst the change comes just after a scrape, and the scrape just after an evaluation.
    secondsUntil(scrapeMs, async () => (await isDown()) === isProblem).then((seconds) => seconds + evaluateMs / 1_000),
    secondsUntil(POLL_MS, async () => (await page.locator('.notice').count()) > 0 === isProblem),
  ])
  return { ready, metric: metricSeconds, alert, page: banner }
}

/** The rule as it is shipped, and how often Prometheus looks, by the shipped settings. */
function alertRule(name: string): { metric: string; scrapeMs: number; evaluateMs: number } {
  const folder = new URL('../../deploy/prometheus/', import.meta.url)
  const [rules, settings] = ['alerts.yml', 'prometheus.yml'].map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const group = rules!.split(/\n {2}- name: /).find((text) => text.includes(`alert: ${name}\n`))!
  const [, metric] = new RegExp(`alert: ${name}\\n\\s+expr: (\\w+) == 0\\n\\s+labels`).exec(group)!
  return {
    metric: metric!,
    scrapeMs: Number(/scrape_interval: (\d+)s/.exec(settings!)![1]) * 1_000,
    evaluateMs: Number(/interval: (\d+)s/.exec(group)![1]) * 1_000,
  }
}
