// Every page in a real browser, on one running devnet.
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { loadedBy, openPage, testBrowser, type WatchedPage } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { deployHostile, HOSTILE, type Hostile } from '../support/hostile-token.ts'
import { sendEarlyInBlock, signedPayment } from '../support/payments.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { untilRich, type WebPlaces } from '../support/web-places.ts'
import { type Survey, surveyOf } from '../support/web-survey.ts'

const LIFE_TIMEOUT_MS = 120_000
const SURVEY_TIMEOUT_MS = 600_000

let server: TestServer
let browser: Browser
let places: WebPlaces
let hostile: Hostile
let devnetPort: string

beforeAll(async () => {
  devnetPort = await freePort()
  ;[server, browser] = await Promise.all([
    startTestServer({
      ROLES: 'indexer,api,rpc,web',
      DEVNET_PORT: devnetPort,
      DEVNET_TPS: '12',
      RATE_LIMIT_IP: '0',
    }),
    testBrowser(),
  ])
  hostile = await deployHostile(`http://127.0.0.1:${devnetPort}`)
  places = await untilRich(createClient({ baseUrl: server.url, credentials: server.credentials }))
}, LIFE_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe('every page', () => {
  let survey: Survey

  beforeAll(async () => {
    survey = await surveyOf(browser, server.url, places)
  }, SURVEY_TIMEOUT_MS)

  test('every page shows data', () => expect(survey.poor).toEqual([]))
  test('no page loads anything from another host', () => expect(survey.foreign).toEqual([]))
  test('no page logs an error in the browser', () => expect(survey.complaints).toEqual([]))
  test('every page fits a phone without scrolling sideways', () => expect(survey.wide).toEqual([]))
  test('no page has an accessibility violation of level A or AA, light or dark', () =>
    expect(survey.violations).toEqual([]))

  test('every page stays within 60 KB of JavaScript as brotli, the home page within 20', () => {
    expect(survey.scriptBytes.home).toBeGreaterThan(1_000)
    expect(survey.scriptBytes.home).toBeLessThan(20_000)
    // The API viewer is a third-party program.
    const { docs: _, ...pages } = survey.scriptBytes
    for (const [name, bytes] of Object.entries(pages)) expect(bytes, name).toBeLessThan(60_000)
  })

  test('the home page has at most 30 KB of HTML as brotli', async () => {
    const html = await (await fetch(server.url)).text()
    expect(brotliCompressSync(html).length).toBeLessThan(30_000)
  })
})

describe('without JavaScript', () => {
  test('a reader without JavaScript can read, search, page and choose colours', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(server.url)
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(10)
    await page.locator('input[name=q]').fill('1')
    await loadedBy(page, () => page.locator('input[name=q]').press('Enter'))
    expect(await page.locator('h1').textContent()).toMatch(/Block\s+1/)
    await until(
      async () => (await fetch(`${server.url}/blocks?page=2`)).text(),
      (html) => html.includes('data-key'),
    )
    await page.goto(`${server.url}/blocks`)
    await loadedBy(page, () => page.getByRole('link', { name: 'Next' }).click())
    expect(new URL(page.url()).search).toBe('?page=2')
    const older = Number(await newestKey(page))
    await loadedBy(page, () => page.getByRole('link', { name: 'Previous' }).click())
    // The chain has only grown meanwhile.
    expect(Number(await newestKey(page)) - older).toBeGreaterThanOrEqual(25)
    await loadedBy(page, () => page.getByRole('button', { name: 'Dark' }).click())
    expect(new URL(page.url()).pathname).toBe('/blocks')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.context().close()
  })
})

describe('text that anybody can put on the chain', () => {
  test('HTML in names of tokens is shown as text and never run', async () => {
    const page = await openPage(browser)
    const pages = {
      token: `/token/${hostile.token}`,
      tokens: '/tokens',
      creation: `/tx/${hostile.creation}?tab=transfers`,
      address: `/address/${hostile.token}`,
      revert: `/tx/${hostile.revert}`,
      search: `/search?q=${encodeURIComponent(HOSTILE)}`,
      'search without an end': `/search?q=${encodeURIComponent(`${HOSTILE}!`)}`,
    }
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(server.url + path)
      expect(await page.content(), name).toContain('&lt;img src=x')
      expect(await page.locator('img[src=x]').count(), name).toBe(0)
      expect(await page.evaluate(() => 'hacked' in globalThis), name).toBe(false)
    }
    expect(page.complaints).toEqual([])
    await page.context().close()
  })

  test('the content security policy of every page allows no inline script', async () => {
    for (const path of Object.values(places)) {
      const { headers } = await fetch(server.url + path, { headers: { accept: 'text/html' } })
      const scripts = /script-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
      expect(scripts, path).toBe("'self'")
    }
  })
})

describe('lists that are open', () => {
  test('an open list gets new rows at the top without a reload', async () => {
    const page = await openPage(browser)
    await page.goto(`${server.url}/blocks`)
    const before = await newestKey(page)
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await page.waitForFunction(
      (key) => Number(document.querySelector<HTMLElement>('tbody tr')?.dataset.key) > Number(key),
      before,
    )
    expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true)
    const keys = await page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => Number(row.dataset.key)))
    expect(keys).toEqual(keys.map((_, i) => keys[0]! - i))
    await page.context().close()
  })

  test('a paused list collects new rows and shows their number', async () => {
    const page = await openPage(browser)
    await page.goto(`${server.url}/txs`)
    await page.locator('[data-pause]').click()
    const before = await newestKey(page)
    await page.locator('[data-new-rows]').waitFor()
    expect(await page.locator('[data-new-rows]').textContent()).toMatch(/^(more than )?\d+ new$/)
    expect(await newestKey(page)).toBe(before)
    await page.locator('[data-new-rows]').click()
    expect(await newestKey(page)).not.toBe(before)
    await page.context().close()
  })
})

describe('a transaction', () => {
  // preconfirmations.test.ts covers the preconfirmed stage: in this test a block may follow at once.
  test('an open page follows a transaction from unknown to included without a reload', async () => {
    const nodeUrl = `http://127.0.0.1:${devnetPort}`
    const { raw, hash } = await signedPayment(nodeUrl)
    const page = await openPage(browser)
    await page.goto(`${server.url}/tx/${hash}`)
    expect(await page.locator('main').textContent()).toContain('Transaction not found')
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await sendEarlyInBlock(nodeUrl, raw)
    await page.locator('.timeline .reached.included').waitFor()
    await page.locator('.facts a[href^="/block/"]').waitFor()
    const steps = await page.locator('.timeline .reached').allTextContents()
    expect(steps.slice(0, 2)).toEqual([
      expect.stringMatching(/Preconfirmed.*flashblock \d/),
      expect.stringMatching(/Included.*\+[\d,.]+ m?s/),
    ])
    expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true)
    await page.context().close()
  })
})

describe('search', () => {
  test('a search for a block, transaction, address or token opens its page', async () => {
    const client = createClient({ baseUrl: server.url, credentials: server.credentials })
    const [block] = (await client.blockFills({ chainShortName: 'DEV', height: '3' })).data
    const { tokenList } = (await client.tokenList({ chainShortName: 'DEV' })).data[0]
    const token = tokenList.find(({ token: symbol }) => symbol === 'AUSD')
    const asked: Record<string, string> = {
      '3': '/block/3',
      ' #1,000,000,000 ': '/block/1000000000',
      [block.hash]: '/block/3',
      [hostile.creation]: `/tx/${hostile.creation}`,
      [hostile.creation.slice(2).toUpperCase()]: `/tx/${hostile.creation}`,
      [block.miner]: `/address/${block.miner}`,
      [token!.tokenFullName.toUpperCase()]: `/token/${token!.tokenContractAddress}`,
    }
    for (const [text, path] of Object.entries(asked)) {
      const url = `${server.url}/search?q=${encodeURIComponent(text)}`
      expect((await fetch(url, { redirect: 'manual' })).headers.get('location'), text).toBe(path)
    }
  })

  test('a search without results says what was searched for', async () => {
    const text = await (await fetch(`${server.url}/search?q=0x${'12'.repeat(32)}`)).text()
    expect(text).toContain('a transaction with this hash')
    expect(text).toContain('a block with this hash')
  })
})

/** Pages whose tables are a part of a list that has its own page, or figures. */
const EXCERPTS = new Set([
  'home',
  'block-flashblocks',
  'charts',
  'gas',
  'quality',
  'about',
  'labels',
  'contract',
  'search',
])

/** Pages with a list at any time; others have one when there is something in it. */
const LISTS = [
  ...['blocks', 'block-txs', 'block-internal', 'txs', 'tx-transfers', 'tx-internal', 'tx-logs', 'address', 'accounts'],
  ...['tokens', 'token', 'token-holders', 'token-inventory', 'flashblocks'],
]

describe('lists as files', () => {
  test('a download contains the whole list and needs no key', async () => {
    const response = await fetch(`${server.url}/export/token-holders.csv?token=${hostile.token}`)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="DEV-token-holders.csv"')
    expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(2)
    const blocks = await (await fetch(`${server.url}/export/blocks.ndjson`)).text()
    const heights = blocks
      .trimEnd()
      .split('\n')
      .map((line) => Number((JSON.parse(line) as { height: string }).height))
    expect(heights.at(-1)).toBe(0)
    expect(heights).toHaveLength(heights[0]! + 1)
  })

  test('every list has downloads as CSV and as NDJSON', async () => {
    const walked: string[] = []
    for (const [name, path] of Object.entries(places)) {
      const html = await (await fetch(server.url + path, { headers: { accept: 'text/html' } })).text()
      if (EXCERPTS.has(name) || !/<table class="list|<ol class="(logs|movements)"|class="calls"/.test(html)) continue
      walked.push(name)
      const links = [...html.matchAll(/href="(\/export\/[^"]+)" download/g)].map(([, link]) =>
        link!.replaceAll('&amp;', '&'),
      )
      expect(links, name).toEqual([expect.stringContaining('.csv'), expect.stringContaining('.ndjson')])
      const [csv, ndjson] = await Promise.all(links.map((link) => fetch(server.url + link)))
      expect(csv!.headers.get('content-type'), name).toContain('text/csv')
      expect((await csv!.text()).split('\r\n').length, name).toBeGreaterThan(2)
      expect(Object.keys(JSON.parse((await ndjson!.text()).split('\n')[0]!)).length, name).toBeGreaterThan(2)
    }
    expect(walked).toEqual(expect.arrayContaining(LISTS))
  }, 120_000)

  test('a download of an unknown list is refused', async () => {
    expect((await fetch(`${server.url}/export/nothing.csv`)).status).toBe(404)
    expect((await fetch(`${server.url}/export/address-txs.csv?address=0x12`)).status).toBe(400)
    expect((await fetch(`${server.url}/export/token-inventory.csv?token=0x12`)).status).toBe(400)
  })
})

function newestKey(page: WatchedPage): Promise<string | null> {
  return page.locator('tbody tr').first().getAttribute('data-key')
}
