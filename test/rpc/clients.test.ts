// E20, rule 2: real clients see their receipts before the canonical block exists.
import { JsonRpcProvider, Wallet, WebSocketProvider } from 'ethers'
import { createPublicClient, createWalletClient, defineChain, http, webSocket } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { type PendingServer, startPendingServer } from '../support/pending-server.ts'

let devnet: Devnet
let server: PendingServer
let url: string
beforeAll(async () => {
  devnet = await startStillDevnet()
  server = await startPendingServer(
    { nodeUrl: devnet.url, feedUrl: devnet.feedUrl },
    { FLASHBLOCKS_STALE_MS: '600000' },
  )
  url = `${server.url}/flashblocks`
  await server.until(({ preconfirmations, heights }) => {
    return heights.latest !== null && preconfirmations.feed?.upstreams[0]?.isConnected === true
  })
  await rpc(devnet.url, 'devnet_step')
}, 90_000)
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const TRIES = 100
const FLASHBLOCKS_IN_BLOCK = 5

function sleep(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

describe('a receipt before its block exists', () => {
  test(`viem gets a receipt before its block exists with confirmations 0, ${TRIES} times of ${TRIES}`, async () => {
    const chain = defineChain({
      id: 1_337_200,
      name: 'devnet',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    })
    const account = privateKeyToAccount(developers[0]!.key)
    const transport = http(url)
    const reader = createPublicClient({ chain, transport, pollingInterval: 10, cacheTime: 0 })
    const wallet = createWalletClient({ chain, transport, account })
    for (let tries = 1; tries <= TRIES; tries++) {
      const hash = await wallet.sendTransaction({ to: developers[1]!.address, value: 1n, gas: 21_000n })
      while ((await rpc(devnet.url, 'eth_getTransactionByHash', hash)) === null) await sleep(2)
      await rpc(devnet.url, 'devnet_step')
      const receipt = await reader.waitForTransactionReceipt({ hash, confirmations: 0, timeout: 20_000 })
      const height = Number(await rpc(devnet.url, 'eth_blockNumber'))
      expect(receipt).toMatchObject({ transactionHash: hash, status: 'success' })
      expect(Number(receipt.blockNumber)).toBe(height + 1)
      if (tries % FLASHBLOCKS_IN_BLOCK === 0) await nextBlock()
    }
  }, 120_000)

  test(`ethers gets a receipt before its block exists with wait(0), ${TRIES} times of ${TRIES}`, async () => {
    const provider = new JsonRpcProvider(url, 1_337_200, { staticNetwork: true, cacheTimeout: -1, polling: true })
    provider.pollingInterval = 10
    const wallet = new Wallet(developers[2]!.key, provider)
    for (let tries = 1; tries <= TRIES; tries++) {
      const sent = await wallet.sendTransaction({ to: developers[1]!.address, value: 1n, gasLimit: 21_000n })
      await rpc(devnet.url, 'devnet_step')
      while ((await rpc(url, 'eth_getTransactionReceipt', sent.hash)) === null) await sleep(2)
      const receipt = await sent.wait(0)
      const height = Number(await rpc(devnet.url, 'eth_blockNumber'))
      expect(receipt).toMatchObject({ hash: sent.hash, status: 1, blockNumber: height + 1 })
      if (tries % FLASHBLOCKS_IN_BLOCK === 0) await nextBlock()
    }
    // The provider is not destroyed: a request that is still open would fail without a handler.
    await provider.removeAllListeners()
  }, 120_000)
})

describe('transactions as they become known', () => {
  const send = (index: number) => {
    const wallet = new Wallet(
      developers[index]!.key,
      new JsonRpcProvider(devnet.url, 1_337_200, { staticNetwork: true }),
    )
    return wallet.sendTransaction({ to: developers[1]!.address, value: 1n, gasLimit: 21_000n })
  }
  const untilSeen = async (seen: ReadonlySet<string>, hash: string) => {
    for (const deadlineMs = Date.now() + 20_000; Date.now() < deadlineMs; await sleep(20)) if (seen.has(hash)) return
    throw new Error(`${hash} was not announced`)
  }
  const wsUrl = () => `${server.url.replace('http', 'ws')}/ws`

  test('viem watches pending transactions with a filter that it polls', async () => {
    const seen = new Set<string>()
    const reader = createPublicClient({ transport: http(url), pollingInterval: 20 })
    const stop = reader.watchPendingTransactions({
      onTransactions: (hashes) => {
        for (const hash of hashes) seen.add(hash)
      },
    })
    await sleep(1_500)
    await untilSeen(seen, (await send(3)).hash)
    stop()
  })

  test('viem watches pending transactions over a WebSocket', async () => {
    const seen = new Set<string>()
    const reader = createPublicClient({ transport: webSocket(wsUrl()) })
    const stop = reader.watchPendingTransactions({
      onTransactions: (hashes) => {
        for (const hash of hashes) seen.add(hash)
      },
    })
    await sleep(1_500)
    await untilSeen(seen, (await send(4)).hash)
    stop()
    ;(await reader.transport.getRpcClient()).close()
  })

  test('ethers gets pending transactions over a WebSocket', async () => {
    const seen = new Set<string>()
    const provider = new WebSocketProvider(wsUrl(), 1_337_200)
    await provider.on('pending', (hash: string) => seen.add(hash))
    await sleep(1_500)
    await untilSeen(seen, (await send(5)).hash)
    await provider.destroy()
  })
})

async function nextBlock(): Promise<void> {
  await rpc(devnet.url, 'devnet_seal')
  const height = Number(await rpc(devnet.url, 'eth_blockNumber'))
  await rpc(devnet.url, 'devnet_step')
  await server.until(({ heights }) => heights.latest === height && heights.preconfirmed === height + 1)
}
