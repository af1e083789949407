// A feed that leaves receipts and balances out is relayed with them: this service executes them, and they equal the builder's own.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { signed } from '../../devnet/chain/chain-for-tests.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { bytesToHex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { WRAPPED_ETHER } from '../../src/chain/rules/addresses.ts'
import type { FlashblockMessage } from '../../src/contract/flashblock.ts'
import { createLog } from '../../src/lib/log.ts'
import type { RpcChannel } from '../../src/rpc/server/channel.ts'
import { startWorkerChannel } from '../../src/rpc/server/worker-channel.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { until } from '../support/until.ts'

const BLOCKS = 6
const FLASHBLOCKS_A_BLOCK = 3
const ENOUGH = 10
let devnet: Devnet
let listener: WebSocket
let sparse: WebSocketServer
let worker: RpcChannel
const announced = new Map<string, FlashblockMessage>()
const sent: FlashblockMessage[] = []
function keyOf({ payload_id, index }: FlashblockMessage) {
  return `${payload_id}/${index}`
}

beforeAll(async () => {
  devnet = await startStillDevnet()
  sparse = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(sparse, 'listening')
  listener = new WebSocket(devnet.feedUrl)
  listener.on('message', (frame) => {
    const message = JSON.parse(String(frame)) as FlashblockMessage
    announced.set(keyOf(message), message)
    const { block_number } = message.metadata
    for (const client of sparse.clients) client.send(JSON.stringify({ ...message, metadata: { block_number } }))
  })
  worker = startWorkerChannel(
    {
      nodeUrls: [devnet.url],
      feedUrls: [`ws://127.0.0.1:${(sparse.address() as AddressInfo).port}`],
      staleMs: null,
      latest: 'canonical',
      holdsReceipts: true,
      schedule: null,
      gasCap: 50_000_000n,
      callTimeoutMs: 5_000,
      work: null,
    },
    {
      log: createLog({ level: 'error', pretty: false }),
      onFlashblock: ({ text }) => sent.push(JSON.parse(text) as FlashblockMessage),
      onProcessed: () => {},
      onLedgerEvents: () => {},
      onDeath: (cause) => {
        throw cause
      },
    },
  )
}, 120_000)
afterAll(async () => {
  await worker?.stop()
  listener?.terminate()
  sparse?.close()
  await devnet?.stop()
})

test('the outgoing feed has the receipts and balances that the upstream left out, in the order of the feed', async () => {
  await until(
    async () => worker.status(),
    (status) => status?.canonical === 0 && status.feed?.upstreams[0]?.isConnected === true,
  )
  const filled = () => sent.filter(({ metadata }) => metadata.receipts !== undefined)
  let nonce = 0
  // On a busy machine some are executed too late to be waited for.
  for (let block = 0; block < BLOCKS || filled().length < ENOUGH; block++) {
    for (let index = 0; index < FLASHBLOCKS_A_BLOCK; index++) {
      const deposit = { to: WRAPPED_ETHER, data: hexToBytes('0xd0e30db0'), gas: 100_000n }
      for (const fields of [{}, deposit]) {
        await rpc(devnet.url, 'eth_sendRawTransaction', bytesToHex(signed({ nonce: nonce++, ...fields }).raw))
      }
      await rpc(devnet.url, 'devnet_step')
      await until(
        async () => sent.length,
        (count) => count === block * FLASHBLOCKS_A_BLOCK + index + 1,
      )
    }
    await rpc(devnet.url, 'devnet_seal')
    await until(
      async () => worker.status(),
      (status) => status?.canonical === block + 1,
    )
  }
  for (const message of filled()) {
    const { metadata, diff } = announced.get(keyOf(message))!
    expect(message.diff).toEqual(diff)
    expect(message.metadata).toEqual(metadata)
  }
  const places = sent.map(({ index, metadata }) => metadata.block_number * 100 + index)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
}, 240_000)
