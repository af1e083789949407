// E21: `firstlight start` beside a node and a feed in processes of their own is a Flashblocks RPC node on its own address.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { signed } from '../../devnet/chain/chain-for-tests.ts'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import { feedMessageFrom } from '../../src/contract/flashblock.ts'
import { issueKey } from '../support/command.ts'
import { ask, rpc } from '../support/devnet.ts'
import { type FirstlightProcess, startFirstlight } from '../support/firstlight-process.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

let devnet: FirstlightProcess
let node: FirstlightProcess
let nodeUrl: string
let feedUrl: string
let url: string
async function environment() {
  return {
    PORT: await freePort(),
    RPC_URL: nodeUrl,
    RPC_TYPE: 'reth',
    FLASHBLOCKS_ENABLED: 'true',
    FLASHBLOCKS_URL: feedUrl,
    ROLES: 'rpc,relay',
  }
}

beforeAll(async () => {
  const port = await freePort()
  nodeUrl = `http://127.0.0.1:${port}`
  feedUrl = `ws://127.0.0.1:${port}/flashblocks`
  devnet = await startFirstlight(['devnet'], { DEVNET_PORT: port, DEVNET_TPS: '10' })
  const settings = await environment()
  node = await startFirstlight(['start'], settings)
  url = `http://127.0.0.1:${settings.PORT}`
  while ((await ready(url)).length > 0) await sleep(50)
}, 240_000)
afterAll(async () => {
  await node?.stop()
  await devnet?.stop()
})

function sleep(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function ready(of: string): Promise<string[]> {
  return ((await (await fetch(`${of}/ready`)).json()) as { reasons: string[] }).reasons.filter(
    (reason) => !reason.includes('indexed'),
  )
}

/** A connection stays with the process that took it. */
async function textOnNewConnection(at: string): Promise<string> {
  const request = get(at, { agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return text(response)
}

/** Everything that it receives. */
function listenTo(socket: WebSocket): string[] {
  const frames: string[] = []
  socket.on('message', (frame) => frames.push(String(frame)))
  return frames
}

describe('a Flashblocks RPC node', () => {
  test('a Flashblocks RPC node answers the receipt of a transaction before its block exists', async () => {
    let nonce = Number(
      await rpc(url, 'eth_getTransactionCount', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'pending'),
    )
    // The block is sealed by the clock a moment later: on a busy machine it may be there before the answer is.
    for (let isBefore = false; !isBefore; nonce++) {
      const hash = await rpc(url, 'eth_sendRawTransaction', bytesToHex(signed({ nonce }).raw))
      const receipt = await until(
        () => rpc(`${url}/flashblocks`, 'eth_getTransactionReceipt', hash),
        (answer) => answer !== null,
      )
      isBefore = Number(await rpc(nodeUrl, 'eth_blockNumber')) < Number(receipt.blockNumber)
    }
  }, 120_000)

  test('a Flashblocks RPC node relays the feed in the shape of the spec, and a relay can be fed by a relay', async () => {
    const settings = { ...(await environment()), FLASHBLOCKS_URL: `${url.replace('http', 'ws')}/flashblocks` }
    const second = await startFirstlight(['start'], settings)
    try {
      const sockets = [url, `http://127.0.0.1:${settings.PORT}`].map(
        (of) => new WebSocket(`${of.replace('http', 'ws')}/flashblocks`),
      )
      const [direct, relayed] = sockets.map(listenTo) as [string[], string[]]
      // Whole blocks, whichever of the two connected first.
      while (relayed.filter((frame) => direct.includes(frame)).length < 6) await sleep(20)
      for (const socket of sockets) socket.terminate()
      const first = feedMessageFrom(JSON.parse(direct[0]!))
      expect(first).toMatchObject({ type: 'flashblock', flashblock: { index: 0 } })
      expect(JSON.parse(direct[1]!)).not.toHaveProperty('base')
    } finally {
      await second.stop()
    }
  }, 240_000)

  test('a Flashblocks RPC node speaks JSON-RPC over WebSocket at / and at /ws', async () => {
    for (const path of ['/', '/ws']) {
      const socket = new WebSocket(url.replace('http', 'ws') + path)
      socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":"x","method":"eth_chainId"}'))
      const [answer] = await once(socket, 'message')
      socket.terminate()
      expect(JSON.parse(String(answer))).toEqual({ jsonrpc: '2.0', id: 'x', result: '0x146770' })
    }
    const plain = await fetch(`${url}/ws`)
    expect(plain.status).toBe(426)
  }, 120_000)

  test('a Flashblocks RPC node answers more requests on a connection than may be under way at once', async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
    await once(socket, 'open')
    const answers = listenTo(socket)
    const ids = Array.from({ length: 250 }, (_, id) => id)
    for (const id of ids) socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_gasPrice' }))
    while (answers.length < ids.length) await sleep(10)
    socket.terminate()
    const answered = answers.map((text) => JSON.parse(text) as { id: number; result?: string })
    expect(answered.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids)
    expect(answered.every(({ result }) => result !== undefined)).toBe(true)
  }, 120_000)

  test('a Flashblocks RPC node asks for a key where keys are required, on RPC, WebSocket and feed', async () => {
    const settings = { ...(await environment()), RPC_KEYS_REQUIRED: 'true' }
    const closed = await startFirstlight(['start'], settings)
    try {
      const { key } = await issueKey(closed.dataDir, 'a wallet')
      const at = `http://127.0.0.1:${settings.PORT}`
      const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
      const post = (path: string, headers = {}) => fetch(at + path, { method: 'POST', body, headers })
      expect((await post('/flashblocks')).status).toBe(401)
      expect((await post('/flashblocks/nonsense')).status).toBe(401)
      expect((await post('/')).status).toBe(401)
      const answered = async (): Promise<{ error?: unknown }> => (await post(`/flashblocks/${key}`)).json()
      await until(answered, (answer) => answer.error === undefined)
      expect(await answered()).toMatchObject({ result: '0x146770' })
      expect(await (await post('/', { 'x-api-key': key })).json()).toMatchObject({ result: '0x146770' })
      for (const path of ['/flashblocks', '/ws']) {
        const refused = new WebSocket(at.replace('http', 'ws') + path)
        const status = await new Promise((resolve) =>
          refused.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode)),
        )
        expect(status).toBe(401)
        const socket = new WebSocket(`${at.replace('http', 'ws')}${path}/${key}`)
        await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
        socket.terminate()
      }
    } finally {
      await closed.stop()
    }
  }, 240_000)

  test('a Flashblocks RPC node runs more processes on the same port, each with its own pending chain', async () => {
    const settings = { ...(await environment()), API_PROCESSES: '1' }
    const several = await startFirstlight(['start'], settings)
    try {
      const at = `http://127.0.0.1:${settings.PORT}`
      const pids = new Set<number>()
      const deadline = Date.now() + 120_000
      while (pids.size < 2 && Date.now() < deadline) {
        const { pid, heights } = JSON.parse(await textOnNewConnection(`${at}/status`)) as {
          pid: number
          heights: { preconfirmed: number | null }
        }
        if (heights.preconfirmed !== null) pids.add(pid)
      }
      expect(pids.size).toBe(2)
    } finally {
      await several.stop()
    }
  }, 240_000)
})

describe('settings that cannot work are refused at start', () => {
  const refusal = async (settings: Record<string, string>): Promise<string> =>
    startFirstlight(['start'], { ...(await environment()), ...settings }).then(
      async (started) => {
        await started.stop()
        return 'it started'
      },
      (error: Error) => error.message,
    )

  test.each([
    ['no feed', { FLASHBLOCKS_URL: '' }, /FLASHBLOCKS_ENABLED is true, but FLASHBLOCKS_URL is not set/],
    ['a feed that is no WebSocket', { FLASHBLOCKS_URL: 'https://feed.example' }, /starts with ws:\/\/ or wss:\/\//],
    ['another client by choice', { RPC_TYPE: 'geth' }, /RPC_TYPE is geth: Flashblocks need reth/],
  ])(
    'the server refuses to start with %s',
    async (_, settings, message) => {
      expect(await refusal(settings)).toMatch(message)
    },
    60_000,
  )

  test('the server refuses to start before another client by its own word, unless the check is off', async () => {
    const proxy = await startOtherClient('Geth/v1.15.0-stable/linux-amd64/go1.24')
    try {
      const message = await refusal({ RPC_URL: proxy.url })
      expect(message).toContain(
        'RPC_TYPE is reth, but the node says that it is "Geth/v1.15.0-stable/linux-amd64/go1.24"',
      )
      expect(message).toContain('Point RPC_URL at a reth node')
      expect(await refusal({ RPC_URL: proxy.url, RPC_TYPE_CHECK: 'off' })).toBe('it started')
    } finally {
      await proxy.stop()
    }
  }, 240_000)
})

/** The devnet under another name. */
async function startOtherClient(name: string) {
  const { startProxy } = await import('../../src/upstream/node/proxy-for-tests.ts')
  return startProxy(nodeUrl, { rewrite: (method, result) => (method === 'web3_clientVersion' ? name : result) })
}

test('the server answers an unknown method as JSON-RPC does', async () => {
  expect(await ask(url, 'eth_nonsense')).toMatchObject({ error: { code: -32601 } })
})
