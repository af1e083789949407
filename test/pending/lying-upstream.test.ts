// Two upstreams over real sockets: one passes on what the devnet announces, the other one is always first, with flashblocks that lack a
// transaction and are right in themselves.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { signed } from '../../devnet/chain/chain-for-tests.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import { transactionsRoot } from '../../src/chain/codec/block.ts'
import { type FlashblockBase, flashblockHeader } from '../../src/chain/codec/flashblock.ts'
import { headerHash } from '../../src/chain/codec/header.ts'
import type { FlashblockMessage } from '../../src/contract/flashblock.ts'
import { createLog } from '../../src/lib/log.ts'
import type { RpcChannel } from '../../src/rpc/server/channel.ts'
import { startInlineChannel } from '../../src/rpc/server/inline-channel.ts'
import { readFlashblock } from '../../src/upstream/feed/read-flashblock.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { until } from '../support/until.ts'

/** The pending block is looked at for a second. */
const LOOKS = 20

let devnet: Devnet
let listener: WebSocket
let channel: RpcChannel
let liar: WebSocketServer
let honest: WebSocketServer

async function startUpstream(): Promise<WebSocketServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  return server
}

beforeAll(async () => {
  liar = await startUpstream()
  honest = await startUpstream()
  devnet = await startStillDevnet()
  let base: FlashblockBase | undefined
  let transactions: Uint8Array[] = []
  listener = new WebSocket(devnet.feedUrl)
  listener.on('message', (frame) => {
    const message = JSON.parse(String(frame)) as FlashblockMessage
    const flashblock = readFlashblock(message)
    if ('unreadable' in flashblock) throw new Error(flashblock.unreadable)
    if (flashblock.base) [base, transactions] = [flashblock.base, []]
    // Of index 0 the first transaction, which describes L1, stays.
    const shown = flashblock.transactions.slice(0, flashblock.index === 0 ? 1 : 0).map(({ raw }) => raw)
    transactions = [...transactions, ...shown]
    const { header } = flashblockHeader(base!, flashblock.totals, transactionsRoot(transactions))
    const forged = {
      ...message,
      diff: { ...message.diff, transactions: shown.map(bytesToHex), block_hash: headerHash(header) },
      metadata: { block_number: message.metadata.block_number },
    }
    for (const client of liar.clients) client.send(JSON.stringify(forged))
    setTimeout(() => {
      for (const client of honest.clients) client.send(String(frame))
    }, 50)
  })
  channel = startInlineChannel(
    {
      nodeUrls: [devnet.url],
      feedUrls: [liar, honest].map((server) => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`),
      staleMs: null,
      latest: 'canonical',
      holdsReceipts: false,
      schedule: null,
      gasCap: 50_000_000n,
      callTimeoutMs: 5_000,
      work: null,
    },
    {
      log: createLog({ level: 'error', pretty: false }),
      onFlashblock: () => {},
      onProcessed: () => {},
      onDeath: (cause) => {
        throw cause
      },
    },
  )
}, 120_000)
afterAll(async () => {
  await channel?.stop()
  listener?.terminate()
  for (const server of [liar, honest]) server?.close()
  await devnet?.stop()
})

const CALLER = { client: 'test', isGone: () => false, whenGone: () => undefined }

async function pendingHashes(): Promise<string[]> {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['pending', false] }
  const { text } = await channel.answer(JSON.stringify(request), CALLER)
  return JSON.parse(text!).result.transactions
}

test('an upstream that is always first with consistent forgeries is disproved by sealed blocks, and the other one is followed', async () => {
  await until(
    async () => channel.status(),
    (status) => status?.canonical === 0 && status.feed?.upstreams.every(({ isConnected }) => isConnected) === true,
  )
  let nonce = 0
  /** Whether the pending block showed the transaction before it was sealed. */
  const block = async (): Promise<boolean> => {
    const { raw, hash } = signed({ nonce: nonce++ })
    await rpc(devnet.url, 'eth_sendRawTransaction', bytesToHex(raw))
    const messages = () => channel.status()!.feed!.upstreams.reduce((sum, upstream) => sum + upstream.messages, 0)
    const before = messages()
    await rpc(devnet.url, 'devnet_step')
    await rpc(devnet.url, 'devnet_step')
    await until(
      async () => messages(),
      (count) => count >= before + 4,
    )
    let isShown = false
    for (let look = 0; look < LOOKS && !isShown; look++) {
      isShown = (await pendingHashes()).includes(hash)
      if (!isShown) await sleep(50)
    }
    if (!isShown) expect(channel.status()!.feed!.disputed).toBe(channel.status()!.canonical! + 1)
    const head = channel.status()!.canonical!
    await rpc(devnet.url, 'devnet_seal')
    await until(
      async () => channel.status(),
      (status) => status!.canonical === head + 1,
    )
    return isShown
  }
  expect(await block()).toBe(false)
  // The first sealed block was enough to leave the liar out.
  expect(channel.status()!.feed).toMatchObject({
    disputed: null,
    upstreams: [{ isDistrusted: true }, { isDistrusted: false }],
  })
  for (let i = 0; i < 2; i++) expect(await block()).toBe(true)
  await until(
    async () => channel.status()!.feed!.upstreams,
    ([first, second]) => first!.isDistrusted && !second!.isDistrusted,
  )
  expect(await block()).toBe(true)
  expect(await block()).toBe(true)
  expect(channel.status()!.feed!.upstreams[0]!.disproved).toBeGreaterThan(0)
}, 120_000)
