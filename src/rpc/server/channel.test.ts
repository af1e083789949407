import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../../devnet/devnet.ts'
import { rpc, startStillDevnet } from '../../../test/support/devnet.ts'
import { until } from '../../../test/support/until.ts'
import { createLog } from '../../lib/log.ts'
import type { RpcChannel } from './channel.ts'
import { startInlineChannel } from './inline-channel.ts'
import type { PendingServiceOptions } from './pending-service.ts'
import { startWorkerChannel } from './worker-channel.ts'
import { createWorkerClients } from './worker-clients.ts'
import { createOutbox, type ToClient } from './worker-messages.ts'

let devnet: Devnet
let channels: RpcChannel[]
beforeAll(async () => {
  devnet = await startStillDevnet()
  const options: PendingServiceOptions = {
    nodeUrls: [devnet.url],
    feedUrls: [devnet.feedUrl],
    staleMs: 600_000,
    latest: 'canonical',
    holdsReceipts: true,
    schedule: null,
    gasCap: 50_000_000n,
    callTimeoutMs: 5_000,
  }
  const listener = {
    log: createLog({ level: 'silent', pretty: false }),
    onFlashblock: () => undefined,
    onProcessed: () => undefined,
    onDeath: (cause: Error) => {
      throw cause
    },
  }
  channels = [startInlineChannel(options, listener), startWorkerChannel(options, listener)]
  for (const channel of channels) {
    await until(
      async () => channel.status()?.feed?.upstreams[0]?.isConnected,
      (isConnected) => isConnected === true,
    )
  }
  await rpc(devnet.url, 'devnet_step')
  for (const channel of channels) {
    await until(
      async () => channel.status()?.preconfirmed,
      (height) => height === 1,
    )
  }
}, 120_000)
afterAll(async () => {
  for (const channel of channels ?? []) await channel.stop()
  await devnet?.stop()
}, 60_000)

function requestText(method: string, ...params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
}

test.each([
  ['a method that needs no waiting', requestText('eth_chainId')],
  ['a call at the tip', requestText('eth_call', { to: `0x${'00'.repeat(20)}`, data: '0x' }, 'pending')],
  ['a method of the node', requestText('eth_gasPrice')],
  ['a batch', `[${requestText('eth_getBlockByNumber', 'pending', true)},${requestText('eth_blockNumber')}]`],
  ['an unknown method', requestText('eth_nothing')],
  ['a text that is not JSON', '{'],
  ['a notification', JSON.stringify({ jsonrpc: '2.0', method: 'eth_chainId' })],
])('the inline and the worker channel give the same answer to %s', async (_, text) => {
  const [inline, worker] = await Promise.all(channels.map(async (channel) => (await channel.answer(text)).text))
  expect(worker).toBe(inline)
  expect(inline === undefined || JSON.parse(inline)).toBeTruthy()
})

test('a connected client gets the answer to its subscription before the events of it, in both channels', async () => {
  const received = channels.map(() => [] as string[])
  const clients = channels.map((channel, index) => channel.connect((text) => received[index]!.push(text)))
  for (const [index, client] of clients.entries()) {
    received[index]!.push((await client.answer(requestText('eth_subscribe', 'newFlashblocks'))).text!)
  }
  // An empty flashblock would not change the tip's hash, so the next block begins.
  await rpc(devnet.url, 'devnet_seal')
  await rpc(devnet.url, 'devnet_step')
  for (const messages of received) {
    await until(
      async () => messages.length,
      (count) => count > 1,
    )
    const [answer, event] = messages.map((text) => JSON.parse(text))
    expect(event.params.subscription).toBe(answer.result)
  }
  for (const client of clients) client.close()
}, 60_000)

test('requests that take longer than a time slice together let the event loop do rounds in between', async () => {
  const sent: ToClient[] = []
  const slow = (text: string) => {
    const endMs = performance.now() + 3
    while (performance.now() < endMs);
    return { text, ageMs: undefined }
  }
  const handle = createWorkerClients(
    { answer: slow, connect: () => ({ answer: slow, close: () => undefined }) },
    (message) => sent.push(message),
  )
  handle({ type: 'requests', requests: Array.from({ length: 6 }, (_, id) => [id, `${id}`, undefined] as const) })
  expect(sent.length).toBeLessThan(6)
  while (sent.length < 6) await new Promise((resolve) => setImmediate(resolve))
  expect(sent.map(([, id]) => id)).toEqual([0, 1, 2, 3, 4, 5])
})

test('all messages of one event loop round are sent together, in order', async () => {
  const batches: (readonly number[])[] = []
  const post = createOutbox<number>((items) => batches.push(items))
  for (const item of [1, 2, 3]) post(item)
  await new Promise((resolve) => setImmediate(resolve))
  post(4)
  await new Promise((resolve) => setImmediate(resolve))
  expect(batches).toEqual([[1, 2, 3], [4]])
})
