import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createLog } from '../../lib/log.ts'
import { flashblock, heavyFlashblock } from '../../relay/flashblocks-for-tests.ts'
import { outgoingText } from '../../relay/outgoing-flashblock.ts'
import { createKeyCheck } from '../rpc/rpc-keys.ts'
import {
  HANDSHAKE,
  refusal,
  stall,
  startTestRelay,
  subscribe,
  type TestClient,
  type TestRelay,
} from './relay-for-tests.ts'

const _log = createLog({ level: 'error', pretty: false })
const running: { stop: () => Promise<void> }[] = []
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop()
})

async function start(options?: Parameters<typeof startTestRelay>[0]): Promise<TestRelay> {
  const relay = await startTestRelay(options)
  running.push(relay)
  return relay
}

/** On a busy machine it may take a while. */
function soon<T>(value: () => T, { interval = 20 }: { interval?: number } = {}) {
  return expect.poll(value, { timeout: 30_000, interval })
}

async function metric({ metrics }: TestRelay, name: string): Promise<number> {
  return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(await metrics.text())?.[1])
}

describe('a subscriber', () => {
  test('a subscriber gets the feed from the next index 0 on', async () => {
    const { hub, url } = await start()
    hub.publish(outgoingText(flashblock(5, 0)))
    const client = await subscribe(url)
    hub.publish(outgoingText(flashblock(5, 1)))
    hub.publish(outgoingText(flashblock(6, 0)))
    hub.publish(outgoingText(flashblock(6, 1)))
    await soon(client.said).toEqual(['6.0', '6.1'])
  })

  test('a subscriber resumes after the last message it received, or gets a notice of the gap', async () => {
    const { hub, url } = await start()
    for (let index = 0; index < 3; index++) hub.publish(outgoingText(flashblock(5, index)))
    const lucky = await subscribe(`${url}?block_number=5&flashblock_index=0`)
    const late = await subscribe(`${url}?block_number=4&flashblock_index=1`)
    await soon(lucky.said).toEqual(['5.1', '5.2'])
    await soon(late.said).toMatchObject([{ reason: 'not held' }, '5.0', '5.1', '5.2'])
  })

  test('a subscriber gets only what its filter lets through', async () => {
    const { hub, url } = await start()
    const wanted = `0x${'aB'.repeat(20)}`
    const client = await subscribe(`${url}?addresses=0x${'00'.repeat(20)},${wanted}`)
    hub.publish(outgoingText(flashblock(5, 0)))
    hub.publish(outgoingText(flashblock(5, 1, { metadata: { new_account_balances: { [wanted]: '0x1' } } })))
    hub.publish(outgoingText(flashblock(5, 2)))
    hub.publish(outgoingText(flashblock(5, 3, { metadata: { new_account_balances: { [wanted]: '0x2' } } })))
    await soon(client.said).toEqual(['5.1', '5.3'])
  })

  test('a subscriber gets the same text in every encoding', async () => {
    const { hub, url } = await start()
    const plain = await subscribe(url, { perMessageDeflate: false })
    const deflated = await subscribe(url, { perMessageDeflate: true })
    const small = await subscribe(url, { perMessageDeflate: { serverMaxWindowBits: 9 } })
    const forced = await subscribe(`${url}?encoding=plain`, { perMessageDeflate: true })
    const brotli = await subscribe(`${url}?encoding=brotli`)
    expect([plain, deflated, small, forced, brotli].map(({ socket }) => socket.extensions !== '')).toEqual([
      false,
      true,
      false,
      false,
      false,
    ])
    for (let index = 0; index < 4; index++) hub.publish(outgoingText(heavyFlashblock(5, index, 50 * 20 ** index)))
    for (const { said } of [plain, deflated, small, forced]) {
      await soon(said).toEqual(['5.0', '5.1', '5.2', '5.3'])
    }
    expect(deflated.texts).toEqual(plain.texts)
    expect(forced.texts).toEqual(plain.texts)
    await soon(() => brotli.texts.length).toBe(4)
    expect(brotli.isBinary).toEqual([true, true, true, true])
    const unpacked = brotli.texts.map((text) => brotliDecompressSync(Buffer.from(text, 'latin1')).toString())
    expect(unpacked).toEqual(plain.texts)
  })

  test('a subscriber is one of two thousand that all get every message', async () => {
    const { hub, url } = await start()
    const clients: TestClient[] = []
    for (let i = 0; i < 20; i++) {
      clients.push(...(await Promise.all(Array.from({ length: 100 }, () => subscribe(`${url}?encoding=plain`)))))
    }
    for (let index = 0; index < 10; index++) hub.publish(outgoingText(heavyFlashblock(5, index, 2_000)))
    await soon(() => clients.every(({ texts }) => texts.length === 10)).toBe(true)
    expect(new Set(clients.map(({ said }) => said().join())).size).toBe(1)
    for (const { socket } of clients) socket.terminate()
    await soon(() => hub.subscribers).toBe(0)
  }, 180_000)

  test('a subscriber that says more than a subscriber has to say is closed', async () => {
    const { url } = await start()
    const client = await subscribe(url)
    client.socket.send('hello')
    client.socket.send('x'.repeat(5_000))
    expect(await client.closed).toMatchObject({ code: 1009 })
  })
})

describe('a stalled reader', () => {
  const MESSAGE_BYTES = 200_000

  test('a slow subscriber gets a notice of the gap and is closed with 1013, while the others get everything', async () => {
    const relay = await start({ hubOptions: { maxWaitingBytes: 1_000_000 } })
    const slow = await stall(relay.port)
    const healthy = await subscribe(`${relay.url}?encoding=plain`)
    let index = 0
    while (relay.hub.subscribers === 2) {
      relay.hub.publish(outgoingText(heavyFlashblock(5, index++, MESSAGE_BYTES)))
      await soon(() => healthy.texts.length).toBe(index)
    }
    expect(await metric(relay, 'firstlight_relay_cut_off_total')).toBe(1)
    const received: Buffer[] = []
    slow.on('data', (chunk: Buffer) => received.push(chunk))
    slow.resume()
    await soon(() => Buffer.concat(received).includes('{"gap":{"reason":"slow"')).toBe(true)
    await soon(() => Buffer.concat(received).includes(Buffer.from('\x03\xf5too slow', 'latin1'))).toBe(true)
    slow.destroy()
  }, 180_000)

  test('a stalled reader costs no copy of what waits for it, be there fifty', async () => {
    const messages = 150
    const relay = await start({ hubOptions: { maxBlocks: messages, maxWaitingBytes: 100_000_000 } })
    const slow = await Promise.all(Array.from({ length: 50 }, () => stall(relay.port)))
    const healthy = await subscribe(`${relay.url}?encoding=plain`)
    const bytesBefore = process.memoryUsage().arrayBuffers
    for (let block = 1; block <= messages; block++) {
      relay.hub.publish(outgoingText(heavyFlashblock(block, 0, MESSAGE_BYTES)))
      await soon(() => healthy.texts.length, { interval: 2 }).toBe(block)
    }
    expect(relay.hub.subscribers).toBe(51)
    expect(process.memoryUsage().arrayBuffers - bytesBefore).toBeLessThan(10 * messages * MESSAGE_BYTES)
    for (const socket of slow) socket.destroy()
  }, 180_000)
})

describe('a client that is gone', () => {
  test('a client that is gone without a word is noticed by its pings', async () => {
    const relay = await start({ pingMs: 50 })
    const silent = await subscribe(relay.url, { autoPong: false })
    const lively = await subscribe(relay.url)
    expect(await silent.closed).toMatchObject({ code: 1006 })
    await soon(() => relay.hub.subscribers).toBe(1)
    expect(lively.socket.readyState).toBe(WebSocket.OPEN)
    expect(await metric(relay, 'firstlight_relay_cut_off_total')).toBe(1)
  })

  test('a client that is gone frees its place', async () => {
    const relay = await start({ limits: { total: 1, perAddress: 1 } })
    const first = await subscribe(relay.url)
    expect(await refusal(relay.url)).toMatchObject({ status: 429 })
    first.socket.terminate()
    await soon(() => relay.hub.subscribers).toBe(0)
    await subscribe(relay.url)
  })

  test('a client that goes in the middle of the handshake frees its connection too', async () => {
    const relay = await start({ limits: { total: 1, perAddress: 1 } })
    for (let i = 0; i < 20; i++) {
      const socket = connect(relay.port, '127.0.0.1')
      socket.write(`GET /flashblocks HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}`)
      await once(socket, 'connect')
      socket.resetAndDestroy()
    }
    await soon(() =>
      subscribe(relay.url).then(
        () => 'in',
        () => 'refused',
      ),
    ).toBe('in')
  })
})

describe('a handshake', () => {
  test('a handshake is refused with 429 past the limit of its address, and past the limit of all', async () => {
    const { url } = await start({ limits: { total: 3, perAddress: 2 } })
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    await subscribe(url, from('1.1.1.1'))
    await subscribe(url, from('1.1.1.1'))
    const own = await refusal(url, from('1.1.1.1').headers)
    expect(own).toMatchObject({ status: 429, body: expect.stringContaining('One address may have 2') })
    await subscribe(url, from('2.2.2.2'))
    const all = await refusal(url, from('3.3.3.3').headers)
    expect(all).toMatchObject({ status: 429, body: expect.stringContaining('All 3 subscriptions') })
  })

  test('a handshake counts the addresses of one IPv6 household together', async () => {
    const { url } = await start({ limits: { total: 9, perAddress: 1 } })
    await subscribe(url, { headers: { 'x-forwarded-for': '2001:db8:1:2::1' } })
    expect(await refusal(url, { 'x-forwarded-for': '2001:db8:1:2::9' })).toMatchObject({ status: 429 })
    await subscribe(url, { headers: { 'x-forwarded-for': '2001:db8:1:3::1' } })
  })

  test('a handshake needs a known key, in the path or in a header, only where keys are required', async () => {
    const { url } = await start({ admitKey: createKeyCheck(async (key) => key === 'good') })
    expect(await refusal(url)).toMatchObject({ status: 401, body: expect.stringContaining('"50103"') })
    expect(await refusal(`${url}/bad`)).toMatchObject({ status: 401, body: expect.stringContaining('"50111"') })
    await subscribe(`${url}/good`)
    await subscribe(url, { headers: { 'x-api-key': 'good' } })
    const open = await start()
    await subscribe(`${open.url}/anything`)
  })

  test.each([
    ['addresses=0x12', 'addresses'],
    [`topics=0x${'00'.repeat(20)}`, 'topics'],
    ['methods=0x1234567', 'methods'],
    ['methods=0x12345678&methods=0x12345678', 'methods'],
    ['match=some', 'match'],
    ['encoding=gzip', 'encoding'],
    ['block_number=5', 'block_number'],
    ['block_number=-1&flashblock_index=0', 'block_number'],
    ['block_number=1&flashblock_index=x', 'flashblock_index'],
  ])('a handshake with the query %s is refused with the name of the parameter', async (query, name) => {
    const { url } = await start()
    const { status, body } = await refusal(`${url}?${query}`)
    expect(status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({ code: '51000', msg: expect.stringContaining(`Parameter ${name} error`) })
  })

  test('a handshake that is none is refused in the form of all refusals', async () => {
    const { port } = await start()
    const address = `http://127.0.0.1:${port}`
    const plain = await fetch(`${address}/flashblocks`)
    expect(plain.status).toBe(426)
    expect(await plain.json()).toMatchObject({ code: '51000', data: [] })
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET /flashblocks HTTP/1.1\r\nHost: x\r\n${HANDSHAKE.replace('Version: 13', 'Version: 99')}`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"51000"/)
  })

  test('a handshake of another protocol is a plain request', async () => {
    const { port } = await start()
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /flashblocks HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 426 /)
    socket.destroy()
  })

  test('a handshake behind a request that still waits for its answer ends the connection, not the server', async () => {
    const { port } = await start()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    const handshake = `GET /flashblocks HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}`
    socket.write(`GET /flashblocks HTTP/1.1\r\nHost: x\r\n\r\n${handshake}`)
    socket.resume()
    await once(socket, 'close')
    expect((await fetch(`http://127.0.0.1:${port}/flashblocks`)).status).toBe(426)
  })

  test('a handshake at another path is refused as an unknown path', async () => {
    const { port } = await start()
    expect(await refusal(`ws://127.0.0.1:${port}/elsewhere`)).toMatchObject({ status: 404 })
  })
})

describe('the end', () => {
  test('closes every subscriber with 1012, and does not wait for those who stall', async () => {
    const relay = await startTestRelay()
    const clients = await Promise.all(Array.from({ length: 20 }, () => subscribe(relay.url)))
    const slow = await stall(relay.port)
    await relay.stop()
    for (const { closed } of clients) expect(await closed).toEqual({ code: 1012, reason: 'service restart' })
    slow.destroy()
  })
})
