// Preconfirmations on pages, in a real browser: the devnet's chain is stepped by hand, and breaks its word when it is told to.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestChain, signed, silentLog, type TestChain } from '../../devnet/chain/chain-for-tests.ts'
import { type DevnetServer, startServer } from '../../devnet/server.ts'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { loadedBy, openPage, testBrowser, type WatchedPage } from '../support/browser.ts'
import { rpc } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { surveyOf } from '../support/web-survey.ts'

const chainShortName = 'DEV'

let devnet: TestChain
let node: DevnetServer
let server: TestServer
let client: Client
let browser: Browser
/** The block that broke its promise, and the transaction that it left out. */
let broken: { height: number; hash: Hex }

async function status() {
  return (await fetch(`${server.url}/status`)).json()
}
const nonces = [0, 0]
function payment(from: number) {
  return signed({ from, nonce: nonces[from]!++ })
}
/** Through Firstlight, so that it is seen there. */
function send(raw: Uint8Array): Promise<Hex> {
  return rpc(`${server.url}/flashblocks`, 'eth_sendRawTransaction', bytesToHex(raw))
}
function step() {
  devnet.clock.move(1_000)
  devnet.chain.step()
}
async function accountOf(txId: Hex) {
  return (await client.preconfirmationTransaction({ chainShortName, txId })).data[0]
}
async function textOf(path: string) {
  return (await (await fetch(server.url + path, { headers: { accept: 'text/html' } })).text()).replace(/<[^>]*>/g, ' ')
}

beforeAll(async () => {
  devnet = createTestChain({ startMs: Date.now() })
  devnet.chain.seal()
  node = await startServer({ chain: devnet.chain, port: Number(await freePort()), log: silentLog })
  ;[server, browser] = await Promise.all([
    startTestServer({
      ROLES: 'indexer,api,rpc,relay,web',
      RPC_URL: `http://127.0.0.1:${node.port}`,
      FLASHBLOCKS_ENABLED: 'true',
      FLASHBLOCKS_URL: `ws://127.0.0.1:${node.port}/flashblocks`,
      FLASHBLOCKS_STALE_MS: '600000',
      RATE_LIMIT_IP: '0',
    }),
    testBrowser(),
  ])
  client = createClient({ baseUrl: server.url, credentials: server.credentials })
  await until(status, ({ preconfirmations }) => preconfirmations?.feed.upstreams[0].isConnected === true)
  await until(status, ({ heights }) => heights.indexed === devnet.chain.head().header.number)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await node?.stop()
})

describe('a transaction on an open page', () => {
  test('walks from seen over preconfirmed to included without a reload', async () => {
    const { raw, hash } = payment(0)
    const page = await openPage(browser)
    await page.goto(`${server.url}/tx/${hash}`)
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await send(raw)
    await page.locator('.journey[data-stage=seen]').waitFor()
    step()
    await page.locator('.journey[data-stage=preconfirmed]').waitFor()
    // Before any block has it, the page tells what it does.
    await page.locator('.facts', { hasText: 'Outcome so far' }).waitFor()
    expect(await page.locator('[data-running]').textContent()).toContain('not yet')
    await page.locator('.timeline a[href^="/flashblock/"]').focus()
    devnet.chain.seal()
    await page.locator('.timeline .reached.included').waitFor()
    await page.locator('.facts a[href^="/block/"]').waitFor()
    // Who reads by keyboard is where they were.
    expect(await page.evaluate(() => document.activeElement?.closest('.timeline a')?.getAttribute('href'))).toMatch(
      /^\/flashblock\//,
    )
    const steps = await page.locator('.timeline .reached').allTextContents()
    expect(steps).toEqual([
      expect.stringContaining('Seen'),
      expect.stringMatching(/Preconfirmed.*\+[\d,.]+ m?s.*flashblock 0/),
      expect.stringMatching(/Included.*\+[\d,.]+ m?s/),
    ])
    expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true)
    expect(page.complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
    await page.context().close()
  }, 60_000)

  test('says that it was dropped after preconfirmation, and keeps that when it comes after all', async () => {
    const [first, second] = [payment(0), payment(1)]
    const height = devnet.chain.head().header.number + 1
    await send(first.raw)
    await send(second.raw)
    const page = await openPage(browser)
    await page.goto(`${server.url}/tx/${second.hash}`)
    step()
    await page.locator('.journey[data-stage=preconfirmed]').waitFor()
    devnet.chain.contradictNext((transactions) => transactions.filter(({ hash }) => hash !== second.hash))
    devnet.chain.seal()
    await page.locator('.failure', { hasText: 'Dropped after preconfirmation' }).waitFor()
    expect(await page.locator('.failure').textContent()).toContain(`promised for block ${height}`)
    broken = { height, hash: second.hash }
    step()
    devnet.chain.seal()
    await page.locator('.timeline .reached.included').waitFor()
    expect(await page.locator('.journey').textContent()).toContain(
      `Before: Dropped after preconfirmation, block ${height}`,
    )
    await page.context().close()
  }, 60_000)

  test('shows what it changed in the state', async () => {
    const text = await textOf(`/tx/${broken.hash}?tab=state`)
    expect(text).toMatch(/Balance\s+[\d,.]+\s+ETH/)
    expect(text).toMatch(/Nonce\s+0\s+→\s+to\s+1/)
  })
})

describe('the home page, while it is open', () => {
  test('shows a flashblock and what is in it before there is another one, and the block when it is sealed', async () => {
    const page = await openPage(browser)
    await page.goto(server.url)
    const height = devnet.chain.head().header.number + 1
    const bars = page.locator(`.strip [data-key="${height}"] meter`)
    const rowOf = (hash: Hex, version: string) =>
      page.locator(`[data-live=home-transactions] [data-key="${hash}"][data-version="${version}"]`)
    const hashes: Hex[] = []
    for (const made of [1, 2, 3]) {
      const { raw, hash } = payment(0)
      hashes.push(hash)
      await send(raw)
      step()
      // No flashblock follows until this one is on the page.
      await expect.poll(() => bars.count(), { timeout: 10_000 }).toBe(made)
      await rowOf(hash, 'preconfirmed').waitFor()
      expect(await rowOf(hash, 'preconfirmed').textContent()).toContain('Preconfirmed')
    }
    devnet.chain.seal()
    for (const hash of hashes) await rowOf(hash, String(height)).waitFor()
    expect(page.complaints).toEqual([])
    await page.context().close()
  }, 60_000)

  test('says of a row that the block came without that it was dropped', async () => {
    const { raw, hash } = payment(1)
    await send(raw)
    const page = await openPage(browser)
    await page.goto(server.url)
    step()
    const row = page.locator(`[data-live=home-transactions] [data-key="${hash}"]`)
    await row.and(page.locator('[data-version=preconfirmed]')).waitFor()
    devnet.chain.contradictNext((transactions) => transactions.filter((each) => each.hash !== hash))
    devnet.chain.seal()
    await row.and(page.locator('[data-version=dropped]')).waitFor()
    expect(await row.textContent()).toContain('Dropped after preconfirmation')
    step()
    devnet.chain.seal()
    await row.and(page.locator(`[data-version="${devnet.chain.head().header.number}"]`)).waitFor()
    await page.context().close()
  }, 60_000)
})

describe('what was promised', () => {
  test('stands against the sealed block, each difference a row', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/block/${broken.height}?tab=diff`)
    expect(await page.locator('.failure').textContent()).toContain('not what was preconfirmed')
    const rows = await page.locator('.list.broken tbody tr').allTextContents()
    expect(rows).toEqual([expect.stringMatching(/Dropped.*position \d+.*not in the block/)])
    await page.context().close()
  })

  test('is a film of flashblocks, and each of them has a page with its transactions', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/block/${broken.height}?tab=flashblocks`)
    await loadedBy(page, () => page.locator('.film a[href^="/flashblock/"]').first().click())
    expect(new URL(page.url()).pathname).toBe(`/flashblock/${broken.height}/0`)
    await page.locator(`a[href="/tx/${broken.hash}"]`).waitFor()
    expect(await page.locator('main').textContent()).toContain('Balances after it')
    await page.context().close()
  })

  test('is played again by links, and by a slider where scripts run', async () => {
    const height = devnet.chain.head().header.number + 1
    const hashes: Hex[] = []
    for (let i = 0; i < 3; i++) {
      const { raw, hash } = payment(0)
      hashes.push(hash)
      await send(raw)
      step()
      await until(
        () => accountOf(hash),
        (account) => account?.stage === 'preconfirmed',
      )
    }
    devnet.chain.seal()
    const film = `/block/${height}?tab=flashblocks`
    await until(
      () => textOf(film),
      (text) => text.includes('The block after flashblock  2'),
    )
    const shownIn = async (page: WatchedPage) =>
      page.locator('.replay tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.key))
    const markedIn = async (page: WatchedPage) =>
      page.locator('.film [aria-current]').evaluateAll((pictures) => pictures.map(({ dataset }) => dataset.picture))
    const plain = await openPage(browser, { javaScriptEnabled: false })
    await plain.goto(server.url + film)
    expect(await shownIn(plain)).toEqual(expect.arrayContaining(hashes))
    expect(await plain.locator('.scrub').isVisible()).toBe(false)
    await loadedBy(plain, () => plain.locator('.replay').getByRole('link', { name: '1', exact: true }).click())
    expect(await shownIn(plain)).toEqual(expect.arrayContaining(hashes.slice(0, 2)))
    expect(await shownIn(plain)).not.toContain(hashes[2])
    expect(await markedIn(plain)).toEqual(['1'])
    await plain.context().close()

    const page = await openPage(browser)
    await page.goto(server.url + film)
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await page.getByLabel('Flashblock', { exact: true }).press('Home')
    await page.getByRole('heading', { name: 'The block after flashblock 0' }).waitFor()
    expect(await shownIn(page)).toContain(hashes[0])
    expect(await shownIn(page)).not.toContain(hashes[1])
    expect(await markedIn(page)).toEqual(['0'])
    await page.getByLabel('Flashblock', { exact: true }).press('ArrowRight')
    await page.getByRole('heading', { name: 'The block after flashblock 1' }).waitFor()
    expect(await shownIn(page)).toContain(hashes[1])
    expect(new URL(page.url()).search).toBe('?tab=flashblocks&at=1')
    expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true)
    expect(page.complaints).toEqual([])
    await page.context().close()
  }, 60_000)

  test('is listed for a reader at the address of the feed', async () => {
    const response = await fetch(`${server.url}/flashblocks`, { headers: { accept: 'text/html' } })
    expect(new URL(response.url).pathname).toBe('/flashblock')
    expect(await response.text()).toContain(`/flashblock/${broken.height}/0`)
    expect((await fetch(`${server.url}/flashblocks`)).status).toBe(426)
  })

  test('is counted on the page of quality, with every promise that was broken', async () => {
    await until(
      () => textOf('/quality'),
      (text) => /Dropped\s+2\s/.test(text) && text.includes('not in the block'),
    )
    const text = await textOf('/quality')
    expect(text).toMatch(/Upstream 1\s+Connected/)
    expect(text).toMatch(/From our RPC to a flashblock\s+Median\s+[\d,]+ ms/)
  })

  test('shows beside latest, safe and final on the page of an address', async () => {
    const { raw, hash } = payment(0)
    await send(raw)
    step()
    await until(
      () => accountOf(hash),
      (account) => account?.stage === 'preconfirmed',
    )
    const { from } = await rpc(`${server.url}/flashblocks`, 'eth_getTransactionByHash', hash)
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/address/${from}`)
    const rows = page.locator('.heads tbody tr')
    expect(await rows.count()).toBe(4)
    expect(await rows.nth(0).locator('mark').count()).toBe(2)
    expect(await rows.nth(1).locator('mark').count()).toBe(0)
    await page.context().close()
  }, 60_000)

  test('is refused in words where it is not known', async () => {
    const response = await fetch(`${server.url}/flashblock/99999999/0`, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Flashblock 0 of block 99999999 is not known')
  })
})

describe('every page of it', () => {
  test('has no violation, no complaint, no sideways scroll and little JavaScript', async () => {
    const survey = await surveyOf(browser, server.url, {
      flashblock: `/flashblock/${broken.height}/0`,
      film: `/block/${broken.height}?tab=flashblocks`,
      diff: `/block/${broken.height}?tab=diff`,
      quality: '/quality',
    })
    const { scriptBytes, ...found } = survey
    expect(found).toEqual({ poor: [], foreign: [], complaints: [], wide: [], violations: [] })
    for (const [name, bytes] of Object.entries(scriptBytes)) expect(bytes, name).toBeLessThan(60_000)
  }, 120_000)
})
