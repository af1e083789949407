// A real browser, as a reader has it.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
}

/** Where `npm test` found one. */
export function testBrowser(): Promise<Browser> {
  const executablePath = process.env.TEST_CHROMIUM
  if (!executablePath) throw new Error('TEST_CHROMIUM is not set: run the tests with `npm test`, which finds a browser')
  return launchBrowser(executablePath)
}

export const DESKTOP = { width: 1280, height: 900 } as const
export const PHONE = { width: 390, height: 844 } as const

export type WatchedPage = Page & {
  /** Everything that the page asked for. */
  readonly requested: string[]
  /** Errors of its scripts and of its console. */
  readonly complaints: string[]
}

/** Does what leads to another page, and waits until that is whole: a click returns with the first byte of it. */
export async function loadedBy(page: Page, act: () => Promise<void>): Promise<void> {
  const loaded = page.waitForEvent('load')
  await act()
  await loaded
}

/** On a busy machine; less than a test has, so that it says what it waited for. */
const TIMEOUT_MS = 50_000

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  const requested: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return Object.assign(page, { requested, complaints })
}
