// A relay is a feed like any other, so relays can form a tree.
import { afterEach, expect, test } from 'vitest'
import { startLivelyDevnet } from '../../../test/support/devnet.ts'
import { createLog } from '../../lib/log.ts'
import { saidBy } from '../../relay/flashblocks-for-tests.ts'
import { outgoingText } from '../../relay/outgoing-flashblock.ts'
import { createFeed } from '../../upstream/feed/feed.ts'
import { startTestRelay, subscribe, type TestRelay } from './relay-for-tests.ts'

const log = createLog({ level: 'error', pretty: false })
/** The machine may be busy. */
const SOON = { timeout: 30_000, interval: 20 }
/** A feed that is taken for dead on a busy machine connects again, and what was sent meanwhile is missing. */
const NEVER_SILENT = { handshakeMs: 60_000, silenceMs: 120_000 }
const running: { stop: () => Promise<void> }[] = []
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop()
})

test('a relay of a relay carries the feed of the devnet byte for byte', async () => {
  const devnet = await startLivelyDevnet({ tps: 20 })
  running.push(devnet)
  // Before the relays, so that whatever they carry comes here too, on a busy machine as well.
  const first = await subscribe(devnet.feedUrl)
  const [inner, outer] = [await startTestRelay(), await startTestRelay()]
  running.push(inner, outer)
  const stopping = new AbortController()
  const feedInto = async (relay: TestRelay, url: string) => {
    for await (const event of createFeed({ urls: [url], log, ...NEVER_SILENT }).events(stopping.signal)) {
      if (event.type === 'flashblock') relay.hub.publish(outgoingText(event.message))
    }
  }
  const feeding = [feedInto(outer, `${inner.url}?encoding=brotli`), feedInto(inner, devnet.feedUrl)]
  running.push({
    stop: async () => {
      stopping.abort()
      await Promise.all(feeding)
    },
  })
  const last = await subscribe(outer.url)
  // The users of the devnet take their time on a busy machine.
  const isBusy = () => last.texts.length > 30 && last.texts.some((text) => text.includes('"Eip1559"'))
  await expect.poll(isBusy, SOON).toBe(true)
  const begin = first.texts.indexOf(last.texts[0]!)
  const carried = [...last.texts]
  await expect.poll(() => first.texts.slice(begin, begin + carried.length), SOON).toEqual(carried)
  expect(saidBy(carried[0]!)).toMatch(/\.0$/)
}, 180_000)
