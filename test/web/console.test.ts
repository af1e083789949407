// The operator's console in a real browser, and from the outside.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { loadedBy, openPage, testBrowser } from '../support/browser.ts'
import { outputOf } from '../support/command.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { surveyOf } from '../support/web-survey.ts'

const START_TIMEOUT_MS = 120_000
const PASSPHRASE = 'a passphrase of mine'

let server: TestServer
let browser: Browser
let token: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startTestServer({ ROLES: 'api,web' }), testBrowser()])
  token = readFileSync(join(server.dataDir, 'operator-token'), 'utf8').trim()
}, START_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${server.url}/console`)
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
}

function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
  })
}

async function openedSession(): Promise<string> {
  return /^[^;]+/.exec((await post('/console/sign-in', { token })).headers.get('set-cookie')!)![0]
}

describe('the console', () => {
  test('the banner and a command show the operator token', async () => {
    expect(server.output()).toContain(token)
    expect((await outputOf(server.dataDir, 'operator-token')).trim()).toBe(token)
  })

  test('the console creates a key, shows its secret once, counts its use and revokes it, without JavaScript', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await signIn(page)
    await page.getByLabel('Name').fill('<b>my robot</b>')
    await page.getByLabel('Passphrase').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = (await page.locator('[data-secret]').textContent())!
    const key = (await page.locator('.facts .hex').first().textContent())!
    expect(secret).toMatch(/^[0-9A-F]{32}$/)

    const client = createClient({ baseUrl: server.url, credentials: { key, secret, passphrase: PASSPHRASE } })
    const ask = () => client.blockList({ chainShortName: 'DEV' })
    // The key is accepted; there is no data without an indexer.
    for (let i = 0; i < 3; i++) await expect(ask()).rejects.toMatchObject({ code: '50001' })

    await loadedBy(page, () => page.getByRole('link', { name: 'Back to the keys' }).click())
    expect(await page.content()).not.toContain(secret)
    await loadedBy(page, () => page.getByRole('link', { name: '<b>my robot</b>' }).click())
    expect(await page.locator('tbody tr').allTextContents()).toEqual([expect.stringMatching(/E5.*3$/)])
    await page.locator('.sure summary').click()
    await page.getByRole('button', { name: 'Revoke permanently' }).click()
    expect(await page.locator(`tr[data-key="${key}"]`).textContent()).toContain('Revoked')
    await expect.poll(() => ask().catch(({ code }) => code), { timeout: 20_000 }).toBe('50111')
    await page.context().close()
  })

  test('the console says why a key cannot be created, and keeps the name', async () => {
    const cookie = await openedSession()
    const page = await (await fetch(`${server.url}/console`, { headers: { cookie } })).text()
    const formToken = /name="formToken" value="([^"]+)"/.exec(page)![1]!
    const answer = await post('/console/keys', { formToken, name: 'a robot', passphrase: 'short' }, { cookie })
    expect(answer.status).toBe(400)
    const text = await answer.text()
    expect(text).toContain('the passphrase must have 8 to 128 characters')
    expect(text).toContain('value="a robot"')
  })

  test('pages of the console pass every check of pages', async () => {
    const page = await openPage(browser)
    await signIn(page)
    await page.waitForLoadState()
    const key = await page.locator('tbody tr').last().getAttribute('data-key')
    const storageState = await page.context().storageState()
    const survey = await surveyOf(
      browser,
      server.url,
      { keys: '/console', key: `/console/keys/${key}` },
      { storageState },
    )
    const { scriptBytes, ...problems } = survey
    expect(problems).toEqual({ poor: [], foreign: [], complaints: [], wide: [], violations: [] })
    expect(scriptBytes.keys).toBeLessThan(20_000)
    await page.context().close()
  }, 60_000)

  test('signing out removes the cookie of the console and ends the session on the server', async () => {
    const page = await openPage(browser)
    await signIn(page)
    const { name, value } = (await page.context().cookies())[0]!
    const copied = { headers: { cookie: `${name}=${value}` } }
    expect(await (await fetch(`${server.url}/console`, copied)).text()).toContain('API keys')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Operator token').waitFor()
    expect(await page.context().cookies()).toEqual([])
    expect(await (await fetch(`${server.url}/console`, copied)).text()).toContain('Operator token')
    await page.context().close()
  })
})

describe('from the outside the console', () => {
  test('the console shows nothing without a session', async () => {
    for (const path of ['/console', `/console/keys/${server.credentials.key}`]) {
      const text = await (await fetch(server.url + path)).text()
      expect(text).toContain('Operator token')
      expect(text).not.toContain('development')
    }
  })

  test('the cookie of the console is hidden from scripts and from other sites', async () => {
    const header = (await post('/console/sign-in', { token })).headers.get('set-cookie')
    expect(header).toMatch(/; Max-Age=\d+; Path=\/console; HttpOnly; SameSite=Strict$/)
  })

  test('the console refuses a form without the token of the session', async () => {
    const cookie = await openedSession()
    const revoke = `/console/keys/${server.credentials.key}/revoke`
    expect((await post(revoke, {}, { cookie })).status).toBe(400)
    expect((await post(revoke, { formToken: 'x' }, { cookie })).status).toBe(400)
    expect((await post(revoke, { formToken: 'x' })).status).toBe(401)
    expect((await post('/console/sign-in', { token }, { 'sec-fetch-site': 'cross-site' })).status).toBe(400)
    const { code } = await createClient({ baseUrl: server.url, credentials: server.credentials })
      .blockList({ chainShortName: 'DEV' })
      .catch((error) => error)
    expect(code).toBe('50001')
  })

  test('the console refuses a body that is larger than its forms', async () => {
    expect((await post('/console/sign-in', { token: 'x'.repeat(5_000) })).status).toBe(413)
  })

  test('the console limits attempts to sign in', async () => {
    const statuses = []
    for (let i = 0; i < 12; i++) statuses.push((await post('/console/sign-in', { token: `guess ${i}` })).status)
    expect(statuses[0]).toBe(401)
    expect(statuses.at(-1)).toBe(429)
  })
})
