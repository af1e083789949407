import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { violationsOf } from '../support/web-survey.ts'

let server: TestServer
let browser: Browser
let page: Page
const requested: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  const executablePath = process.env.TEST_CHROMIUM
  if (!executablePath) throw new Error('TEST_CHROMIUM is not set: run the tests with `npm test`, which finds a browser')
  server = await startTestServer()
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
  page = await browser.newPage()
  page.setDefaultTimeout(50_000)
  page.on('request', (request) => requested.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${server.url}/docs`)
  await page.waitForSelector('.opblock')
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe('the documentation at /docs', () => {
  test('the documentation at /docs lists every endpoint, E20 and the facade', async () => {
    expect(await page.locator('.opblock').count()).toBe(Object.keys(endpoints).length + 2)
  })

  test('the documentation at /docs signs what is tried out and shows the text that it signed', async () => {
    await page.locator('#operations-block-blockList .opblock-summary-control').click()
    await page.locator('#operations-block-blockList .try-out__btn').click()
    await page.locator('#operations-block-blockList tr[data-param-name=chainShortName] input').fill('DEV')
    const answered = page.waitForResponse((response) => response.url().includes('/block/block-list'))
    await page.locator('#operations-block-blockList .execute').click()
    // Signed rightly and valid, hence past the door: there is only no data yet.
    expect(await (await answered).json()).toMatchObject({ code: '50001' })
    const text = await page.locator('#signed-text').textContent()
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+ZGET\/api\/v5\/chain\/block\/block-list\?chainShortName=DEV/)
    expect(await page.locator('#signed-curl').textContent()).toContain('openssl dgst -sha256 -hmac')
    expect(await page.locator('#operations-block-blockList .curl').textContent()).toContain('SVC-ACCESS-SIGN')
  })

  test('the documentation at /docs has no violation of level A or AA, light or dark, with an endpoint tried out', async () => {
    expect(await violationsOf(page)).toEqual([])
  }, 60_000)

  test('the documentation at /docs asks no other host for anything and has nothing to complain about', () => {
    expect(requested.length).toBeGreaterThan(4)
    expect(requested.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'))).toEqual([])
    // The browser reports the 503 of the endpoint above; nothing else.
    expect(complaints.filter((text) => !text.includes('503'))).toEqual([])
  })

  test('the documentation at /docs gives the development key to this machine only', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${server.url}/docs/dev-key.json`, { headers })
    expect(await (await ask({})).json()).toEqual(server.credentials)
    expect((await ask({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(404)
    const { status } = await fetchWithHost(`${server.url}/docs/dev-key.json`, 'evil.example')
    expect(status).toBe(404)
  })
})

/** fetch does not let the Host header be set. */
async function fetchWithHost(url: string, host: string): Promise<{ status: number }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode! })
    })
      .once('error', reject)
      .end()
  })
}
