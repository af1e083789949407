// `npm run screenshots`: a devnet that has lived for a while, and its main pages on a desktop and on a phone, light and dark, as
// PNG files in docs/screenshots (or in the folder given). With FIRSTLIGHT_URL and a key it looks at a server that runs already.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '../src/client/client.ts'
import { DESKTOP, launchBrowser, openPage, PHONE } from '../test/support/browser.ts'
import { startTestServer } from '../test/support/server.ts'
import { webPlaces } from '../test/support/web-places.ts'
import { chromiumProgram } from './prerequisites.ts'

const LIFE_MS = 40_000
const SETTLE_MS = 400

const [folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url)), ...only] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const server = await startTestServer({ ROLES: 'indexer,api,rpc,relay,web', DEVNET_TPS: '12' })
const browser = await launchBrowser(await chromiumProgram())
try {
  await sleep(LIFE_MS)
  const places = await webPlaces(createClient({ baseUrl: server.url, credentials: server.credentials }))
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      const page = await openPage(browser, { viewport, colorScheme })
      for (const [name, path] of Object.entries(places)) {
        if (only.length > 0 && !only.includes(name)) continue
        await page.goto(server.url + path)
        await sleep(SETTLE_MS)
        await page.screenshot({ path: join(folder, `${name}-${device}-${colorScheme}.png`), fullPage: false })
      }
      await page.context().close()
    }
  }
} finally {
  await browser.close()
  await server.stop()
}
