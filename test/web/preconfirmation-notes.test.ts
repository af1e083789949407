// What a reader is shown while preconfirmations cannot be relied on: the chain has transactions that our execution does not know, and its
// feed announces hashes that cannot be recomputed.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Devnet } from '../../devnet/devnet.ts'
import type { FlashblockMessage } from '../../src/contract/flashblock.ts'
import { openPage, testBrowser } from '../support/browser.ts'
import { startLivelyDevnet } from '../support/devnet.ts'
import { type PendingServer, startPendingServer } from '../support/pending-server.ts'

const SLOW = 120_000

let devnet: Devnet
let listener: WebSocket
let feed: WebSocketServer
let server: PendingServer
let browser: Browser
beforeAll(async () => {
  devnet = await startLivelyDevnet({ ownRules: true, blockMs: 1_000, flashblockMs: 200, tps: 10 })
  feed = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(feed, 'listening')
  listener = new WebSocket(devnet.feedUrl)
  listener.on('message', (frame) => {
    const message = JSON.parse(String(frame)) as FlashblockMessage
    const unproven = { ...message, diff: { ...message.diff, block_hash: `0x${'5a'.repeat(32)}` } }
    for (const client of feed.clients) client.send(JSON.stringify(unproven))
  })
  const feedUrl = `ws://127.0.0.1:${(feed.address() as AddressInfo).port}`
  server = await startPendingServer({ nodeUrl: devnet.url, feedUrl }, { ROLES: 'indexer,api,rpc,relay,web' })
  browser = await testBrowser()
}, SLOW)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  listener?.terminate()
  feed?.close()
  await devnet?.stop()
})

test(
  'home and quality page say in plain words that preconfirmations are not proven, and that nothing is executed',
  async () => {
    await server.until(
      ({ preconfirmations: { unproven, reproduction } }) => unproven?.isServed === true && reproduction.isSteppedBack,
    )
    const page = await openPage(browser)
    for (const path of ['/', '/quality']) {
      await page.goto(`${server.url}${path}`)
      await page.locator('.note', { hasText: 'Preconfirmations are not proven at the moment' }).waitFor()
      await page.locator('.note', { hasText: 'cannot reproduce the blocks of this chain' }).waitFor()
    }
    // Every word of ours is explained.
    await page.locator('.note a', { hasText: 'What is a preconfirmation?' }).first().click()
    await page.waitForURL(/\/about#words$/)
    expect(page.complaints).toEqual([])
    await page.context().close()
  },
  SLOW,
)
