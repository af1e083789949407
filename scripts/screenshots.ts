// `npm run screenshots` takes the pictures of the README, of a devnet with some history, into docs/screenshots. With a folder, and
// optionally names of pages, it takes the main pages on a desktop and on a phone, light and dark.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '../src/client/client.ts'
import { DESKTOP, launchBrowser, openPage, PHONE } from '../test/support/browser.ts'
import { rpc } from '../test/support/devnet.ts'
import { freePort } from '../test/support/free-port.ts'
import { signedPayment } from '../test/support/payments.ts'
import { startTestServer } from '../test/support/server.ts'
import { type WebPlaces, webPlaces } from '../test/support/web-places.ts'
import { chromiumProgram } from './prerequisites.ts'

const LIFE_MS = 40_000
const SETTLE_MS = 1_500
/** The time that a transaction needs to reach the end of its timeline. */
const FINAL_MS = 20_000
const DEVICES = { desktop: DESKTOP, phone: PHONE } as const

type Picture = { name: string; device: keyof typeof DEVICES; colorScheme: 'light' | 'dark' }

const README_PICTURES: readonly Picture[] = [
  { name: 'home', device: 'desktop', colorScheme: 'dark' },
  { name: 'journey', device: 'desktop', colorScheme: 'light' },
  { name: 'journey', device: 'phone', colorScheme: 'light' },
]

const [folder, ...only] = process.argv.slice(2)
const readmeFolder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))

function allOf(places: WebPlaces): Picture[] {
  return (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['desktop', 'phone'] as const).flatMap((device) =>
      Object.keys(places)
        .filter((name) => only.length === 0 || only.includes(name))
        .map((name) => ({ name, device, colorScheme })),
    ),
  )
}

mkdirSync(folder ?? readmeFolder, { recursive: true })
const port = await freePort()
const server = await startTestServer({
  ROLES: 'indexer,api,rpc,relay,verifier,web',
  DEVNET_PORT: port,
  DEVNET_TPS: '12',
  RATE_LIMIT_IP: '0',
})
const browser = await launchBrowser(await chromiumProgram())
try {
  await sleep(LIFE_MS)
  // Sent through this server, so that its timeline begins when the server first saw it.
  const { raw, hash } = await signedPayment(`http://127.0.0.1:${port}`)
  await rpc(`${server.url}/flashblocks`, 'eth_sendRawTransaction', raw)
  await sleep(FINAL_MS)
  const places = {
    ...(await webPlaces(createClient({ baseUrl: server.url, credentials: server.credentials }))),
    journey: `/tx/${hash}`,
  }
  for (const { name, device, colorScheme } of folder === undefined ? README_PICTURES : allOf(places)) {
    const page = await openPage(browser, { viewport: DEVICES[device], colorScheme })
    await page.goto(server.url + places[name as keyof typeof places]!)
    await sleep(SETTLE_MS)
    await page.screenshot({ path: join(folder ?? readmeFolder, `${name}-${device}-${colorScheme}.png`) })
    await page.context().close()
  }
} finally {
  await browser.close()
  await server.stop()
}
