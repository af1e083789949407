// Features of pages that need scripts: tools, charts, labels, warnings, search.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { DESKTOP, openPage, PHONE, testBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { signedPayment } from '../support/payments.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { untilRich, type WebPlaces } from '../support/web-places.ts'
import { surveyOf } from '../support/web-survey.ts'

const LIFE_TIMEOUT_MS = 150_000
const MINE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

let server: TestServer
let browser: Browser
let places: WebPlaces
let nodeUrl: string

beforeAll(async () => {
  const port = await freePort()
  nodeUrl = `http://127.0.0.1:${port}`
  ;[server, browser] = await Promise.all([
    startTestServer({ ROLES: 'indexer,api,rpc,verifier,web', DEVNET_PORT: port, DEVNET_TPS: '12', RATE_LIMIT_IP: '0' }),
    testBrowser(),
  ])
  places = await untilRich(createClient({ baseUrl: server.url, credentials: server.credentials }))
}, LIFE_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe('the pages of tools, charts and labels', () => {
  test('the page of charts by day passes every check of pages', async () => {
    // pages.test.ts checks the other pages.
    const { scriptBytes, ...problems } = await surveyOf(browser, server.url, { days: '/charts?by=day' })
    expect(problems).toEqual({ poor: [], foreign: [], complaints: [], wide: [], violations: [] })
    for (const [name, bytes] of Object.entries(scriptBytes)) expect(bytes, name).toBeLessThan(60_000)
  }, 120_000)

  test('charts and gas prices have their figures without JavaScript', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/charts`)
    const total = await page
      .locator('td[data-name=Transactions]')
      .evaluateAll((cells) => cells.reduce((sum, cell) => sum + Number(cell.textContent!.replace(/\D/g, '')), 0))
    expect(total).toBeGreaterThan(50)
    expect(await page.locator('.charts').isVisible()).toBe(false)
    await page.goto(`${server.url}/gas`)
    expect(await page.locator('.figures dd').first().textContent()).toMatch(/^0\.\d+$/)
    await page.context().close()
  })

  test('charts are drawn where scripts run', async () => {
    const page = await openPage(browser)
    await page.goto(`${server.url}/charts`)
    await page.locator('.plot canvas').nth(3).waitFor()
    expect(page.complaints).toEqual([])
    await page.context().close()
  })
})

describe('tools', () => {
  test('tools broadcast, convert and decode, and describe wrong input', async () => {
    const page = await openPage(browser)
    await page.goto(`${server.url}/tools`)
    const tool = (name: string) => page.locator(`[data-tool=${name}]`)
    await tool('units').getByLabel('Gwei', { exact: true }).fill('1.5')
    expect(await tool('units').getByLabel('Wei', { exact: true }).inputValue()).toBe('1500000000')
    expect(await tool('units').getByLabel('ETH').inputValue()).toBe('0.0000000015')
    await tool('text').getByLabel('Text, in UTF-8').fill('é')
    expect(await tool('text').getByLabel('Hex').inputValue()).toBe('0xc3a9')
    await tool('address').getByLabel('Address').fill(MINE)
    await tool('address').getByText('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266').waitFor()
    await tool('decode')
      .getByLabel('Data, as hex')
      .fill(`0xa9059cbb${MINE.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`)
    await tool('decode').getByRole('button').click()
    await tool('decode').getByText('uint256 amount = 5').waitFor()
    await tool('broadcast').getByLabel('Signed transaction').fill('0x02')
    await tool('broadcast').getByRole('button').click()
    await tool('broadcast').locator('output.failure').waitFor()
    const { raw, hash } = await signedPayment(nodeUrl)
    await tool('broadcast').getByLabel('Signed transaction').fill(raw)
    await tool('broadcast').getByRole('button').click()
    await tool('broadcast').getByRole('link', { name: hash }).waitFor()
    expect(page.complaints).toEqual([])
    await page.context().close()
  }, 60_000)
})

describe('by keyboard', () => {
  test.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])('the keyboard focus is visible and moves in reading order, on a %s', async (_, viewport) => {
    const page = await openPage(browser, { viewport })
    // Live updates would move the elements below them.
    await page.routeWebSocket('**/live', () => {})
    for (const path of ['/', places.tx!, '/accounts']) {
      await page.goto(server.url + path)
      let before: Stop | undefined
      for (let i = 0; i < STOPS; i++) {
        await page.keyboard.press('Tab')
        const stop = await page.evaluate(focused)
        expect(stop.outlinePx, stop.html).toBeGreaterThanOrEqual(2)
        // Never up, unless it is to the next column.
        if (before && stop.left < before.right)
          expect(stop.bottom, `${before.html} ${stop.html}`).toBeGreaterThan(before.top)
        before = stop
      }
    }
    await page.context().close()
  })
})

type Stop = { html: string; top: number; bottom: number; left: number; right: number; outlinePx: number }

const STOPS = 20

function focused(): Stop {
  const element = document.activeElement!
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const outlinePx = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
  return { html: element.outerHTML.slice(0, 120), top: top + scrollY, bottom: bottom + scrollY, left, right, outlinePx }
}

describe('anchors of other explorers', () => {
  test('an anchor of another explorer opens the tab with the same content', async () => {
    const page = await openPage(browser)
    await page.goto(`${server.url}${places.tx}#eventlog`)
    await page.waitForURL(/\?tab=logs$/)
    await page.goto(`${server.url}${places.token}#balances`)
    await page.waitForURL(/\?tab=holders$/)
    expect(page.complaints).toEqual([])
    await page.context().close()
  })
})

describe('private labels', () => {
  test('private labels are shown with the address, saved, loaded and removed', async () => {
    const page = await openPage(browser)
    const path = places.address!
    const address = path.split('/').at(-1)!
    await page.goto(server.url + path)
    await page.getByRole('button', { name: 'Add a private label' }).click()
    await page.getByLabel('Private label').fill('<i>My wallet</i>')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.goto(server.url + places.tx!)
    await page.locator(`.labelled[data-same="${address}"]`).first().waitFor()
    expect(await page.locator(`.labelled[data-same="${address}"]`).first().textContent()).toBe('<i>My wallet</i>')

    await page.goto(`${server.url}/labels`)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save to a file' }).click()
    expect((await saved).suggestedFilename()).toBe('firstlight-labels.json')
    const file = (text: string) => ({ name: 'labels.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await page.locator('[data-import]').setInputFiles(file('{"0x1":"no"}'))
    await page.getByText('Labels are a JSON object').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.locator('[data-import]').setInputFiles(file(JSON.stringify({ [MINE]: 'developer' })))
    await page.getByText('Loaded 1 label').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(2)
    await page.getByRole('button', { name: 'Remove the label developer' }).click()
    expect(await page.locator('tbody tr').count()).toBe(1)
    expect(page.complaints).toEqual([])
    await page.context().close()
  }, 60_000)

  test('an address that resembles a labelled one is marked', async () => {
    const page = await openPage(browser)
    const address = places.address!.split('/').at(-1)!
    const twin = `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`
    await page.goto(server.url)
    await page.evaluate(
      ([key]) => localStorage.setItem('firstlight-labels', JSON.stringify({ [key!]: 'mine' })),
      [twin],
    )
    await page.goto(server.url + places.tx!)
    const mark = page.locator(`[data-same="${address}"] + .lookalike`).first()
    await mark.waitFor()
    expect(await mark.getAttribute('title')).toContain(twin)
    await page.context().close()
  })
})

describe('search', () => {
  test('the search box suggests recent searches', async () => {
    const page = await openPage(browser)
    await page.goto(`${server.url}/blocks`)
    await page.locator('input[name=q]').fill('zzz')
    await page.locator('input[name=q]').press('Enter')
    await page.getByRole('heading', { name: 'Search for' }).waitFor()
    expect(await page.locator('#recent-searches option').first().getAttribute('value')).toBe('zzz')
    await page.context().close()
  })

  test('a search without results says that contracts were searched, too', async () => {
    const text = await (await fetch(`${server.url}/search?q=zzz`)).text()
    expect(text).toContain('a verified contract whose name begins with this')
  })
})
