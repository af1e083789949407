// What a devnet sends by itself: logs by filters, subscriptions, and the feed of flashblocks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { feedMessageFrom } from '../../src/contract/flashblock.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { deployWrappedEther } from '../support/wrapped-ether.ts'

const SENDER = developers[0]!.address
const RECEIVER = '0x00000000000000000000000000000000000c0de5'

let devnet: Devnet
let url: string
beforeAll(async () => {
  devnet = await startStillDevnet()
  url = devnet.url
})
afterAll(() => devnet.stop())

function send(transaction: object): Promise<`0x${string}`> {
  return rpc(url, 'eth_sendTransaction', { from: SENDER, ...transaction })
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}

describe('logs', () => {
  test('logs come by range, by topic and by block, and a filter gives new ones once', async () => {
    const { address } = await deployWrappedEther(url)
    const id = await rpc(url, 'eth_newFilter', { address })
    await send({ to: address, data: '0xd0e30db0', value: '0x1' })
    const blockHash = await rpc(url, 'devnet_seal')
    const byBlock = await rpc(url, 'eth_getLogs', { address, blockHash })
    expect(byBlock).toHaveLength(1)
    expect(await rpc(url, 'eth_getFilterChanges', id)).toEqual(byBlock)
    expect(await rpc(url, 'eth_getFilterChanges', id)).toEqual([])
    const topic = byBlock[0].topics[0]
    const query = (topics: unknown) => rpc(url, 'eth_getLogs', { address, fromBlock: 'earliest', topics })
    expect(await query([[topic, word(1)]])).toEqual(byBlock)
    expect(await query([null, `0x${SENDER.slice(2).padStart(64, '0')}`])).toEqual(byBlock)
    expect(await query([word(1)])).toEqual([])
    expect(await rpc(url, 'eth_uninstallFilter', id)).toBe(true)
    expect(await rpc(url, 'eth_uninstallFilter', id)).toBe(false)
  })
})

describe('a subscription', () => {
  test('a subscription sends heads, logs and waiting transactions, and takes logs back after a reorg', async () => {
    const { address } = await deployWrappedEther(url)
    const socket = await openSocket(devnet.wsUrl)
    const subscriptions = await socket.ask([
      ['eth_subscribe', 'newHeads'],
      ['eth_subscribe', 'logs', { address }],
      ['eth_subscribe', 'newPendingTransactions'],
    ])
    const [heads, logs, pending] = subscriptions.map((id) => () => socket.notifications(String(id)))
    const hash = await send({ to: address, data: '0xd0e30db0', value: '0x1' })
    const blockHash = await rpc(url, 'devnet_seal')
    await socket.ask([['eth_chainId']])
    expect(pending!()).toEqual([hash])
    expect(heads!()).toMatchObject([{ hash: blockHash }])
    expect(logs!()).toMatchObject([{ blockHash, transactionHash: hash, removed: false }])

    const otherHash = await rpc(url, 'devnet_reorg', '0x1')
    expect(otherHash).not.toBe(blockHash)
    await socket.ask([['eth_unsubscribe', subscriptions[0]]])
    expect(heads!().at(-1)).toMatchObject({ hash: otherHash })
    expect(logs!()[1]).toMatchObject({ blockHash, removed: true })
    await rpc(url, 'devnet_seal')
    await socket.ask([['eth_chainId']])
    expect(heads!()).toHaveLength(2)
    socket.close()
  })
})

describe('the feed', () => {
  test('the feed sends every flashblock from the next one on, and the last one is the block', async () => {
    await rpc(url, 'devnet_seal')
    const socket = await openSocket(devnet.feedUrl)
    await rpc(url, 'devnet_step')
    const hash = await send({ to: RECEIVER, value: '0x1' })
    await rpc(url, 'devnet_step')
    const blockHash = await rpc(url, 'devnet_seal')
    await rpc(url, 'eth_chainId')
    const flashblocks = socket.received.map((message) => {
      const parsed = feedMessageFrom(message)
      if (parsed.type !== 'flashblock') throw new Error(JSON.stringify(parsed))
      return parsed.flashblock
    })
    expect(flashblocks.map(({ index }) => index)).toEqual(flashblocks.map((_, index) => index))
    expect(flashblocks.at(-1)!.diff.block_hash).toBe(blockHash)
    expect(flashblocks.some(({ metadata }) => metadata.receipts?.[hash] !== undefined)).toBe(true)
    socket.close()
  })
})

type Message = { id?: number; result?: unknown; params?: { subscription: string; result: unknown } }

async function openSocket(address: string) {
  const socket = new WebSocket(address)
  const received: Message[] = []
  const waiting = new Map<number, (result: unknown) => void>()
  socket.on('message', (text) => {
    const message = JSON.parse(text.toString()) as Message
    received.push(message)
    if (message.id !== undefined) waiting.get(message.id)?.(message.result)
  })
  await new Promise((resolve) => socket.once('open', resolve))
  let id = 0
  return {
    received,
    close: () => socket.close(),
    notifications: (subscription: string) =>
      received.flatMap(({ params }) => (params?.subscription === subscription ? [params.result] : [])),
    ask: (requests: readonly (readonly unknown[])[]) =>
      Promise.all(
        requests.map(([method, ...params]) => {
          const { promise, resolve } = Promise.withResolvers<unknown>()
          waiting.set(++id, resolve)
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
          return promise
        }),
      ),
  }
}
