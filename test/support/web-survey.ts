// One walk over all pages with a real browser, noting everything that a page can be wrong in.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { DESKTOP, openPage, PHONE } from './browser.ts'
import type { WebPlaces } from './web-places.ts'

export type Survey = {
  /** Pages with a heading and hardly anything else. */
  poor: string[]
  foreign: string[]
  complaints: string[]
  wide: string[]
  violations: string[]
  /** What a page loads as scripts, compressed as a server behind TLS would send it. */
  scriptBytes: Record<string, number>
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** In light everything; in dark what colours decide. */
const LEVELS = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
const LEAST_TEXT = 60
const SETTLE_MS = 10_000

export async function surveyOf(
  browser: Browser,
  url: string,
  places: WebPlaces,
  options: BrowserContextOptions = {},
): Promise<Survey> {
  const found: Survey = { poor: [], foreign: [], complaints: [], wide: [], violations: [], scriptBytes: {} }
  const page = await openPage(browser, { colorScheme: 'light', ...options })
  const sizes = new Map<string, number>()
  // The test requests it again: what the browser got may be gone with its page.
  const sizeOf = async (script: string): Promise<number> => {
    const size = sizes.get(script) ?? brotliCompressSync(await (await fetch(script)).bytes()).length
    sizes.set(script, size)
    return size
  }
  const loadedScripts = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => (/\.js(\?|$)/.test(name) ? [name] : [])),
    )

  for (const [name, path] of Object.entries(places)) {
    await page.setViewportSize(DESKTOP)
    await page.goto(url + path, { waitUntil: 'load' })
    const text = await page.locator('main').first().textContent()
    if (text!.length < LEAST_TEXT || !(await page.locator('h1').first().isVisible())) found.poor.push(name)
    found.violations.push(...(await violationsOf(page)).map((each) => `${name}, ${each}`))
    await page.setViewportSize(PHONE)
    const width = await settledWidth(page)
    if (width > PHONE.width) found.wide.push(`${name}: ${width}`)
    const bytes = await Promise.all((await loadedScripts()).map(sizeOf))
    found.scriptBytes[name] = bytes.reduce((sum, each) => sum + each, 0)
  }
  found.foreign = page.requested.filter((asked) => !asked.startsWith(url) && !asked.startsWith('data:'))
  // The browser reports the status of the page that is missing on purpose; nothing else.
  found.complaints = page.complaints.filter((complaint) => !complaint.includes('404'))
  await page.context().close()
  return found
}

/** What is drawn follows its box a frame or two later. */
async function settledWidth(page: Page): Promise<number> {
  const fits = (most: number) => document.documentElement.scrollWidth <= most
  await page.waitForFunction(fits, PHONE.width, { timeout: SETTLE_MS }).catch(() => undefined)
  return page.evaluate(() => document.documentElement.scrollWidth)
}

/** Of levels A and AA, in light and in dark. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const found: string[] = []
  for (const [colorScheme, rules] of [
    ['light', LEVELS],
    ['dark', COLOURS],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await page.evaluate(runAxe, rules)).map((each) => `${colorScheme}: ${each}`))
  }
  return found
}

async function runAxe(runOnly: object): Promise<string[]> {
  type Found = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
  const { axe } = globalThis as unknown as { axe: { run: (root: Document, options: object) => Promise<Found> } }
  const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]!.html.slice(0, 160)} ${nodes[0]!.failureSummary}`)
}
