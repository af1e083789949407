// A chain that goes its own way, like Base: a block every 200 ms, block times in milliseconds, transactions of a type that nobody else
// has, a token without code. A Firstlight follows it from its first block on; then everything it answers is compared with the node.
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { developers, simulatedUsers } from '../../devnet/genesis/accounts.ts'
import { PLATFORM_TOKEN, SPONSOR } from '../../devnet/genesis/own-rules.ts'
import { addressToHex } from '../../src/chain/bytes/hex.ts'
import { rpc, startLivelyDevnet } from './devnet.ts'
import { type IndexedServer, startIndexedServer } from './indexed-server.ts'
import { type Hex, type NodeFacts, readNodeFacts } from './node-facts.ts'
import { compareAnswers, type Tally } from './nodes/compare-answers.ts'
import { questionsAbout } from './nodes/expected-answers.ts'

export const CODELESS_TOKEN: Hex = addressToHex(PLATFORM_TOKEN)
export const PAYER: Hex = addressToHex(SPONSOR)

const BLOCK_MS = 200
const LOOK_EVERY_MS = 20
const FEE_VAULTS = ['19', '1a', '1b'].map((end): Hex => `0x42${'0'.repeat(36)}${end}`)

export type ForeignChain = {
  readonly nodeUrl: string
  readonly server: IndexedServer
  /** The time from the node's announcement of each block to the index that has it. */
  readonly lagsMs: readonly number[]
  readonly facts: NodeFacts
  stop(): Promise<void>
}

/** Makes the blocks at their pace while the server follows, and stands still afterwards. */
export async function followForeignChain(options: {
  readonly blocks: number
  readonly tps: number
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
}): Promise<ForeignChain> {
  const { blocks, tps, dataDir, databaseUrl: url } = options
  const devnet = await startLivelyDevnet({
    ownRules: true,
    pace: 'by hand',
    blockMs: BLOCK_MS,
    flashblockMs: 0,
    tps,
  })
  const server = await startIndexedServer(devnet.url, { url, dataDir, ownRules: true }, { TOKEN_READS_PER_S: '50' })
  const lagsMs = await measuredLags(devnet, server.url, blocks)
  const funded = [...developers, ...simulatedUsers].map(({ address }) => address)
  const facts = await readNodeFacts(devnet.url, [...funded, ...FEE_VAULTS, PAYER])
  return {
    nodeUrl: devnet.url,
    server,
    lagsMs,
    facts,
    async stop() {
      await server.stop()
      await devnet.stop()
    },
  }
}

export function compareWithNode({ server, facts }: ForeignChain): Promise<Tally> {
  return compareAnswers(questionsAbout(server.client, facts))
}

async function measuredLags(
  devnet: { readonly url: string; readonly wsUrl: string },
  serverUrl: string,
  blocks: number,
): Promise<number[]> {
  const announcedMs = new Map<number, number>()
  const heads = await listenToHeads(devnet.wsUrl, (height) => announcedMs.set(height, performance.now()))
  const lagsMs: number[] = []
  const ending = new AbortController()
  const last = Number(await rpc(devnet.url, 'eth_blockNumber')) + blocks
  const watching = watchIndex(serverUrl, ending.signal, (indexed) => {
    for (const [height, atMs] of announcedMs) {
      if (height > indexed) continue
      lagsMs.push(performance.now() - atMs)
      announcedMs.delete(height)
    }
    return indexed >= last
  })
  const startMs = performance.now()
  for (let made = 0; made < blocks; made++) {
    await sleep(Math.max(0, startMs + made * BLOCK_MS - performance.now()))
    await rpc(devnet.url, 'devnet_seal')
  }
  const timeout = setTimeout(() => ending.abort(new Error('the index does not reach the head')), INDEX_TIMEOUT_MS)
  await watching.finally(() => clearTimeout(timeout))
  heads.close()
  return lagsMs
}

const INDEX_TIMEOUT_MS = 60_000

async function watchIndex(url: string, signal: AbortSignal, onIndexed: (height: number) => boolean): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const { heights } = (await (await fetch(`${url}/status`)).json()) as { heights: { indexed: number | null } }
    if (onIndexed(heights.indexed ?? -1)) return
    await sleep(LOOK_EVERY_MS)
  }
}

async function listenToHeads(url: string, onHead: (height: number) => void): Promise<WebSocket> {
  const socket = new WebSocket(url)
  const { promise: subscribed, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  socket.on('open', () => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  })
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as { id?: number; params?: { result: { number: string } } }
    if (message.id === 1) resolve()
    if (message.params) onHead(Number(message.params.result.number))
  })
  await subscribed
  return socket
}
