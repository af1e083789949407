import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../../devnet/devnet.ts'
import { rpc, startStillDevnet } from '../../../test/support/devnet.ts'
import { until } from '../../../test/support/until.ts'
import { createLog } from '../../lib/log.ts'
import type { ConnectedClient, RpcCaller, RpcChannel } from './channel.ts'
import { startInlineChannel } from './inline-channel.ts'
import type { PendingServiceOptions } from './pending-service.ts'
import { startWorkerChannel } from './worker-channel.ts'
import { createWorkerClients } from './worker-clients.ts'
import { createOutbox, type ToClient } from './worker-messages.ts'

function caller(): RpcCaller {
  return { client: 'test', isGone: () => false, whenGone: () => undefined }
}

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
    work: null,
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
  const [inline, worker] = await Promise.all(
    channels.map(async (channel) => (await channel.answer(text, caller())).text),
  )
  expect(worker).toBe(inline)
  expect(inline === undefined || JSON.parse(inline)).toBeTruthy()
})

test('a connected client gets the answer to its subscription before the events of it, in both channels', async () => {
  const received = channels.map(() => [] as string[])
  const clients = channels.map((channel, index) =>
    channel.connect({
      client: 'test',
      push: (ids, results) => {
        for (const id of ids) {
          for (const result of results)
            received[index]!.push(`{"id":"${id}","result":${Buffer.from(result).toString()}}`)
        }
      },
      end: () => undefined,
    }),
  )
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
    expect(event.id).toBe(answer.result)
  }
  for (const client of clients) client.close()
}, 60_000)

test('a request of a client that left is abandoned in the worker', async () => {
  const given: { isGone(): boolean }[] = []
  const handle = createWorkerClients(
    {
      answer: (_, caller) => {
        given.push(caller)
        return new Promise(() => undefined)
      },
      connect: () => ({ answer: () => new Promise(() => undefined), close: () => undefined }),
    },
    () => undefined,
  )
  handle({
    type: 'requests',
    requests: [
      [1, '', 'one'],
      [2, '', 'other'],
    ],
  })
  handle({ type: 'gone', id: 1 })
  expect(given.map((caller) => caller.isGone())).toEqual([true, false])
})

test('a subscriber is disconnected while the other thread does not pass on what was sent', () => {
  const sent: ToClient[] = []
  let push: ConnectedClient['push'] = () => undefined
  const handle = createWorkerClients(
    {
      answer: () => new Promise(() => undefined),
      connect: (connected) => {
        push = connected.push
        return { answer: () => new Promise(() => undefined), close: () => undefined }
      },
    },
    (message) => sent.push(message),
  )
  handle({ type: 'connect', connection: 7, client: 'one' })
  const large = [new Uint8Array(20_000_000)]
  for (let i = 0; i < 3; i++) push(['0x1'], large)
  expect(sent.map(([type]) => type)).toEqual(['push', 'push', 'end'])
  handle({ type: 'passed', bytes: 40_000_000 })
  push(['0x1'], large)
  expect(sent.at(-1)![0]).toBe('push')
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
