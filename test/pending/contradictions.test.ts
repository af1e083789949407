// Sealed blocks of a devnet chain that differ from their flashblocks, seen through a whole server: detected every time,
// said on every surface, and nothing left of what did not come true.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Rewrite } from '../../devnet/chain/chain.ts'
import { createTestChain, developer, send, silentLog, type TestChain } from '../../devnet/chain/chain-for-tests.ts'
import { callOf } from '../../devnet/contracts/calldata.ts'
import { type DevnetServer, startServer } from '../../devnet/server.ts'
import { addressToHex, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { L2_TO_L1_MESSAGE_PASSER, WRAPPED_ETHER } from '../../src/chain/rules/addresses.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { rpc } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'
import { type PendingServer, startPendingServer } from '../support/pending-server.ts'
import { until } from '../support/until.ts'

let devnet: TestChain
let node: DevnetServer
let server: PendingServer
let client: Client
let subscriber: Subscriber
let nodeUrl: string
beforeAll(async () => {
  devnet = createTestChain({ startMs: Date.now() })
  // The first message costs more than any other.
  sendFrom(2, withdrawal)
  devnet.chain.seal()
  node = await startServer({ chain: devnet.chain, port: Number(await freePort()), log: silentLog })
  nodeUrl = `http://127.0.0.1:${node.port}`
  const feedUrl = `ws://127.0.0.1:${node.port}/flashblocks`
  const settings = { FLASHBLOCKS_STALE_MS: '600000', ROLES: 'indexer,api,rpc,relay' }
  server = await startPendingServer({ nodeUrl, feedUrl }, settings)
  await server.until(({ preconfirmations }) => preconfirmations.feed?.upstreams[0]?.isConnected === true)
  client = createClient({ baseUrl: server.url, credentials: server.credentials })
  subscriber = await subscribeToLogs(server.url)
}, 240_000)
afterAll(async () => {
  subscriber?.close()
  await server?.stop()
  await node?.stop()
})

const nonces = [0, 0, 0]
function sendFrom(from: number, fields: Parameters<typeof send>[1] = {}): Hex {
  return send(devnet.chain, { from, nonce: nonces[from]!++, ...fields })
}

function weth(functionName: string, ...args: unknown[]) {
  return {
    to: WRAPPED_ETHER,
    data: hexToBytes(callOf('WrappedEther', functionName, args)),
    gas: 100_000n,
    value: 0n,
  }
}
const withdrawal = {
  to: L2_TO_L1_MESSAGE_PASSER,
  data: hexToBytes(callOf('L2ToL1MessagePasser', 'initiateWithdrawal', [addressToHex(developer(2)), 100_000n, '0x'])),
  gas: 300_000n,
  value: 0n,
}
type SentLog = { readonly transactionHash: Hex; readonly removed: boolean; readonly data: Hex }
type Subscriber = { readonly logs: readonly SentLog[]; close(): void }

async function subscribeToLogs(url: string): Promise<Subscriber> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  await once(socket, 'open')
  const logs: SentLog[] = []
  socket.on('message', (text) => {
    const { params } = JSON.parse(String(text)) as { params?: { result: SentLog } }
    if (params) logs.push(params.result)
  })
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['pendingLogs'] }))
  await once(socket, 'message')
  return { logs, close: () => socket.close() }
}

const chainShortName = 'DEV'
async function accountOf(txId: Hex) {
  return (await client.preconfirmationTransaction({ chainShortName, txId })).data[0]
}
async function blockAccountOf(height: number) {
  return (await client.preconfirmationBlock({ chainShortName, height: String(height) })).data[0]
}

const GWEI = 10n ** 9n
const [owner, spender] = [0, 1].map((index) => addressToHex(developer(index)))

type Case = {
  name: string
  /** Sends the transactions that are preconfirmed; the last one is the one that the sealed block changes or drops. */
  announce: () => Hex[]
  rewrite: (sent: Hex[]) => Rewrite
  types: string[]
}

const cases: Case[] = [
  {
    name: 'drops a transaction',
    announce: () => [sendFrom(0), sendFrom(1)],
    rewrite:
      ([, second]) =>
      (transactions) =>
        transactions.filter(({ hash }) => hash !== second),
    types: ['dropped'],
  },
  {
    name: 'changes the order',
    announce: () => [sendFrom(0), sendFrom(1)],
    rewrite:
      () =>
      ([attributes, ...rest]) => [attributes!, ...rest.toReversed()],
    types: ['moved', 'moved'],
  },
  {
    name: 'changes a status and logs',
    announce: () => [
      sendFrom(0, { ...weth('deposit'), value: 100n, tip: 2n * GWEI }),
      sendFrom(0, { ...weth('approve', spender, 100n), tip: 2n * GWEI }),
      sendFrom(1, { ...weth('transferFrom', owner, spender, 100n), tip: GWEI }),
    ],
    rewrite:
      ([, approval]) =>
      (transactions) =>
        transactions.filter(({ hash }) => hash !== approval),
    types: ['dropped', 'moved', 'status', 'gas', 'logs'],
  },
  {
    name: 'changes only logs',
    // Both succeed in either order, but the number that each is given is in its log.
    announce: () => [sendFrom(0, withdrawal), sendFrom(1, withdrawal)],
    rewrite:
      () =>
      ([attributes, ...rest]) => [attributes!, ...rest.toReversed()],
    types: ['moved', 'logs', 'moved', 'logs'],
  },
]

function typesOf(differences: readonly { transaction: Hex; type: string }[], hash: Hex): string[] {
  return differences.filter(({ transaction }) => transaction === hash).map(({ type }) => type)
}

describe.each(cases)('a sealed block that $name', ({ announce, rewrite, types }) => {
  test('the contradiction is detected, shown on every surface, and leaves no phantom', async () => {
    const before = (await server.status()).preconfirmations.counts
    const sentBefore = subscriber.logs.length
    devnet.clock.move(1_000)
    const sent = announce()
    devnet.chain.step()
    const height = devnet.chain.head().header.number + 1
    await server.until(({ heights }) => heights.preconfirmed === height)
    const announced = await rpc(`${server.url}/flashblocks`, 'eth_getBlockByNumber', 'pending', false)
    for (const hash of sent) {
      const receipt = await rpc(`${server.url}/flashblocks`, 'eth_getTransactionReceipt', hash)
      expect(receipt).toMatchObject({ blockNumber: announced.number, status: '0x1' })
    }

    devnet.chain.contradictNext(rewrite(sent))
    const sealed = devnet.chain.seal()
    const { preconfirmations } = await server.until(({ heights }) => heights.latest === height)
    const { counts, lastBroken } = preconfirmations
    expect(lastBroken).toMatchObject({ height, canonicalHash: sealed.hash, preconfirmedHash: announced.hash })
    expect(lastBroken!.differences.map(({ type }) => type)).toEqual(types)
    expect(counts.blocksChanged).toBe(before.blocksChanged + 1)
    expect(await server.metric('firstlight_settled_blocks_changed_total')).toBe(counts.blocksChanged)
    expect(server.output()).toContain(`"height":${height},"differences"`)

    // Nothing that was preconfirmed is answered any more, unless it is also what was sealed.
    expect(await rpc(`${server.url}/flashblocks`, 'eth_getBlockByHash', announced.hash, false)).toBeNull()
    for (const hash of sent) {
      const answer = await rpc(`${server.url}/flashblocks`, 'eth_getTransactionReceipt', hash)
      expect(answer).toEqual(await rpc(nodeUrl, 'eth_getTransactionReceipt', hash))
    }
    for (const address of [owner, spender, addressToHex(WRAPPED_ETHER)]) {
      const answer = await rpc(`${server.url}/flashblocks`, 'eth_getBalance', address, 'pending')
      expect(answer).toBe(await rpc(nodeUrl, 'eth_getBalance', address, 'latest'))
    }

    // The explorer says of the block and of each transaction what became of the preconfirmation.
    const broken = new Map(sent.map((hash) => [hash, typesOf(lastBroken!.differences, hash)]))
    for (const [hash, changed] of broken) {
      const account = await until(
        () => accountOf(hash),
        (found) => !['', 'comparing'].includes(found?.verdict ?? ''),
      )
      const isDropped = changed.includes('dropped')
      const verdict = isDropped ? 'dropped' : changed.length > 0 ? 'changed' : 'kept'
      expect(account).toMatchObject({ verdict, changes: isDropped ? [] : changed, preconfirmedHeight: String(height) })
      expect(account!.stage).toBe(isDropped ? 'dropped' : 'included')
    }
    const block = await until(
      () => blockAccountOf(height),
      (found) => found?.verdict === 'broken',
    )
    expect(block).toMatchObject({ blockHash: sealed.hash, preconfirmedHash: announced.hash })
    expect(block!.differences.map(({ type }) => type)).toEqual(types)

    // A subscriber that was sent logs of a changed preconfirmation is sent their removal.
    const loud = sent.filter((hash) => subscriber.logs.some((log) => log.transactionHash === hash && !log.removed))
    for (const hash of loud.filter((each) => broken.get(each)!.some((type) => type !== 'gas'))) {
      const ofIt = () => subscriber.logs.slice(sentBefore).filter(({ transactionHash }) => transactionHash === hash)
      const logs = await until(
        async () => ofIt(),
        (each) => each.some(({ removed }) => removed),
      )
      expect(logs.map(({ removed }) => removed)).toEqual([false, true])
      expect(logs[1]!.data).toBe(logs[0]!.data)
    }
    expect(loud.length > 0).toBe(types.includes('logs'))

    // A dropped transaction waits again, and is sealed as it is announced the next time.
    devnet.clock.move(1_000)
    devnet.chain.step()
    await server.until(({ heights }) => heights.preconfirmed === height + 1)
    devnet.chain.seal()
    const after = await server.until(({ heights }) => heights.latest === height + 1)
    expect(after.preconfirmations.counts.blocksChanged).toBe(counts.blocksChanged)
    for (const hash of sent) {
      expect(await rpc(`${server.url}/flashblocks`, 'eth_getTransactionReceipt', hash)).not.toBeNull()
    }
  }, 120_000)
})
