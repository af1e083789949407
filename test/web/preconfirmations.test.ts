// Preconfirmations on pages, in a real browser. The test steps the chain of the devnet, and makes a sealed block contradict its flashblocks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { loadedBy, openPage, type WatchedPage } from '../support/browser.ts'
import { rpc } from '../support/devnet.ts'
import { type SteppedSite, startSteppedSite } from '../support/stepped-site.ts'
import { until } from '../support/until.ts'
import { surveyOf } from '../support/web-survey.ts'

let site: SteppedSite
/** The block that contradicts its flashblocks, and the transaction that it dropped. */
let broken: { height: number; hash: Hex }

beforeAll(async () => {
  site = await startSteppedSite()
}, 120_000)
afterAll(() => site?.stop())

describe('a transaction on an open page', () => {
  test('an open page follows a transaction from seen to preconfirmed to included without a reload', async () => {
    const { raw, hash } = site.payment(0)
    const page = await openPage(site.browser)
    await page.goto(`${site.url}/tx/${hash}`)
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await site.send(raw)
    await page.locator('.journey[data-stage=seen]').waitFor()
    site.step()
    await page.locator('.journey[data-stage=preconfirmed]').waitFor()
    // The page shows the status before any block contains the transaction.
    await page.locator('.facts', { hasText: 'Preconfirmed status' }).waitFor()
    expect(await page.locator('[data-running]').textContent()).toContain('not yet')
    await page.locator('.timeline a[href^="/flashblock/"]').focus()
    site.chain.seal()
    await page.locator('.timeline .reached.included').waitFor()
    await page.locator('.facts a[href^="/block/"]').waitFor()
    // The keyboard focus stays where it was.
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

  test('an open page ends with the link to the block although the page could not be fetched at the last stage', async () => {
    const { raw, hash } = site.payment(0)
    const page = await openPage(site.browser)
    await page.goto(`${site.url}/tx/${hash}`)
    await site.send(raw)
    site.step()
    await page.locator('.facts', { hasText: 'Preconfirmed status' }).waitFor()
    let refused = 0
    let isRefusing = true
    await page.route(`${site.url}/tx/${hash}`, (route) => {
      if (!isRefusing) return route.continue()
      refused++
      return route.fulfill({ status: 503, contentType: 'text/html', body: '<main>too busy</main>' })
    })
    site.chain.seal()
    await page.locator('.journey[data-stage=included][data-indexed=yes]').waitFor()
    await expect.poll(() => refused).toBeGreaterThan(0)
    isRefusing = false
    await page.locator('.facts a[href^="/block/"]').waitFor()
    await page.context().close()
  }, 60_000)

  test('an open page says that a transaction was dropped, and still says so when a later block includes it', async () => {
    const [first, second] = [site.payment(0), site.payment(1)]
    const height = site.chain.head().header.number + 1
    await site.send(first.raw)
    await site.send(second.raw)
    const page = await openPage(site.browser)
    await page.goto(`${site.url}/tx/${second.hash}`)
    site.step()
    await page.locator('.journey[data-stage=preconfirmed]').waitFor()
    site.chain.contradictNext((transactions) => transactions.filter(({ hash }) => hash !== second.hash))
    site.chain.seal()
    await page.locator('.failure', { hasText: 'Dropped after preconfirmation' }).waitFor()
    expect(await page.locator('.failure').textContent()).toContain(`preconfirmed for block ${height}`)
    broken = { height, hash: second.hash }
    site.step()
    site.chain.seal()
    await page.locator('.timeline .reached.included').waitFor()
    expect(await page.locator('.journey').textContent()).toContain(
      `Previously: Dropped after preconfirmation, block ${height}`,
    )
    await page.context().close()
  }, 60_000)

  test('a transaction has a tab of its state changes', async () => {
    const text = await site.textOf(`/tx/${broken.hash}?tab=state`)
    expect(text).toMatch(/Balance\s+[\d,.]+\s+ETH/)
    expect(text).toMatch(/Nonce\s+0\s+→\s+to\s+1/)
  })
})

describe('the home page, while it is open', () => {
  test('the open home page shows each flashblock before the next one, and then the sealed block', async () => {
    const page = await openPage(site.browser)
    await page.goto(site.url)
    const height = site.chain.head().header.number + 1
    const bars = page.locator(`.strip [data-key="${height}"] meter`)
    const rowOf = (hash: Hex, version: string) =>
      page.locator(`[data-live=home-transactions] [data-key="${hash}"][data-version="${version}"]`)
    const hashes: Hex[] = []
    for (const count of [1, 2, 3]) {
      const { raw, hash } = site.payment(0)
      hashes.push(hash)
      await site.send(raw)
      site.step()
      // No flashblock follows until this one is on the page.
      await expect.poll(() => bars.count(), { timeout: 10_000 }).toBe(count)
      await rowOf(hash, 'preconfirmed').waitFor()
      expect(await rowOf(hash, 'preconfirmed').textContent()).toContain('Preconfirmed')
    }
    site.chain.seal()
    for (const hash of hashes) await rowOf(hash, String(height)).waitFor()
    expect(page.complaints).toEqual([])
    await page.context().close()
  }, 60_000)

  test('the open home page marks a transaction that the sealed block dropped', async () => {
    const { raw, hash } = site.payment(1)
    await site.send(raw)
    const page = await openPage(site.browser)
    await page.goto(site.url)
    site.step()
    const row = page.locator(`[data-live=home-transactions] [data-key="${hash}"]`)
    await row.and(page.locator('[data-version=preconfirmed]')).waitFor()
    site.chain.contradictNext((transactions) => transactions.filter((each) => each.hash !== hash))
    site.chain.seal()
    await row.and(page.locator('[data-version=dropped]')).waitFor()
    expect(await row.textContent()).toContain('Dropped after preconfirmation')
    site.step()
    site.chain.seal()
    await row.and(page.locator(`[data-version="${site.chain.head().header.number}"]`)).waitFor()
    await page.context().close()
  }, 60_000)
})

describe('preconfirmations of a block', () => {
  test('the check of a block lists each difference from the sealed block as a row', async () => {
    const page = await openPage(site.browser, { javaScriptEnabled: false })
    await page.goto(`${site.url}/block/${broken.height}?tab=diff`)
    expect(await page.locator('.failure').textContent()).toContain('differs from what was preconfirmed')
    const rows = await page.locator('.list.broken tbody tr').allTextContents()
    expect(rows).toEqual([expect.stringMatching(/Dropped.*position \d+.*not in the block/)])
    await page.context().close()
  })

  test('the tab of flashblocks links to a page per flashblock with its transactions', async () => {
    const page = await openPage(site.browser, { javaScriptEnabled: false })
    await page.goto(`${site.url}/block/${broken.height}?tab=flashblocks`)
    await loadedBy(page, () => page.locator('.flashblock-cards a[href^="/flashblock/"]').first().click())
    expect(new URL(page.url()).pathname).toBe(`/flashblock/${broken.height}/0`)
    await page.locator(`a[href="/tx/${broken.hash}"]`).waitFor()
    expect(await page.locator('main').textContent()).toContain('Balances after this flashblock')
    await page.context().close()
  })

  test('a block is replayed flashblock by flashblock with links, and with a slider where scripts run', async () => {
    const height = site.chain.head().header.number + 1
    const hashes: Hex[] = []
    for (let i = 0; i < 3; i++) {
      const { raw, hash } = site.payment(0)
      hashes.push(hash)
      await site.send(raw)
      site.step()
      await until(
        () => site.preconfirmationOf(hash),
        (record) => record?.stage === 'preconfirmed',
      )
    }
    site.chain.seal()
    const film = `/block/${height}?tab=flashblocks`
    await until(
      () => site.textOf(film),
      (text) => text.includes('The block after flashblock  2'),
    )
    const shownIn = async (page: WatchedPage) =>
      page.locator('.replay tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.key))
    const markedIn = async (page: WatchedPage) =>
      page
        .locator('.flashblock-cards [aria-current]')
        .evaluateAll((cards) => cards.map(({ dataset }) => dataset.flashblock))
    const plain = await openPage(site.browser, { javaScriptEnabled: false })
    await plain.goto(site.url + film)
    expect(await shownIn(plain)).toEqual(expect.arrayContaining(hashes))
    expect(await plain.locator('.scrub').isVisible()).toBe(false)
    await loadedBy(plain, () => plain.locator('.replay').getByRole('link', { name: '1', exact: true }).click())
    expect(await shownIn(plain)).toEqual(expect.arrayContaining(hashes.slice(0, 2)))
    expect(await shownIn(plain)).not.toContain(hashes[2])
    expect(await markedIn(plain)).toEqual(['1'])
    await plain.context().close()

    const page = await openPage(site.browser)
    await page.goto(site.url + film)
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

  test('a browser that opens the URL of the feed gets the list of flashblocks', async () => {
    const response = await fetch(`${site.url}/flashblocks`, { headers: { accept: 'text/html' } })
    expect(new URL(response.url).pathname).toBe('/flashblock')
    expect(await response.text()).toContain(`/flashblock/${broken.height}/0`)
    expect((await fetch(`${site.url}/flashblocks`)).status).toBe(426)
  })

  test('the page of preconfirmation quality counts and lists what was changed or dropped', async () => {
    await until(
      () => site.textOf('/quality'),
      (text) => /Dropped\s+2\s/.test(text) && text.includes('not in the block'),
    )
    const text = await site.textOf('/quality')
    expect(text).toMatch(/Upstream 1\s+Connected/)
    expect(text).toMatch(/From JSON-RPC to flashblock\s+Median\s+[\d,]+ ms/)
  })

  test('the page of an address shows preconfirmed balances beside latest, safe and finalized ones', async () => {
    const { raw, hash } = site.payment(0)
    await site.send(raw)
    site.step()
    await until(
      () => site.preconfirmationOf(hash),
      (record) => record?.stage === 'preconfirmed',
    )
    const { from } = await rpc(`${site.url}/flashblocks`, 'eth_getTransactionByHash', hash)
    const page = await openPage(site.browser, { javaScriptEnabled: false })
    await page.goto(`${site.url}/address/${from}`)
    const rows = page.locator('.heads tbody tr')
    expect(await rows.count()).toBe(4)
    expect(await rows.nth(0).locator('mark').count()).toBe(2)
    expect(await rows.nth(1).locator('mark').count()).toBe(0)
    await page.context().close()
  }, 60_000)

  test('an unknown flashblock is a page with status 404 that says so', async () => {
    const response = await fetch(`${site.url}/flashblock/99999999/0`, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Flashblock 0 of block 99999999 is not known')
  })
})

describe('every page of it', () => {
  test('pages of preconfirmations have no accessibility violation, no error, no sideways scroll and little JavaScript', async () => {
    const survey = await surveyOf(site.browser, site.url, {
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
