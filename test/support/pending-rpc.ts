// A JSON-RPC server in this thread, over a chain that a test moves by hand: its node and its feed are real sockets.
import { onTestFinished } from 'vitest'
import { createTestChain, type TestChain } from '../../devnet/chain/chain-for-tests.ts'
import { startServer } from '../../devnet/server.ts'
import type { Flashblock } from '../../src/chain/codec/flashblock.ts'
import { rulesOfFork } from '../../src/chain/rules/forks.ts'
import { loadPrecompiles } from '../../src/evm/precompiles/table.ts'
import { createLog } from '../../src/lib/log.ts'
import { createExecutor } from '../../src/pending/executor.ts'
import { createLivePendingChain, type LivePendingChain } from '../../src/pending/live-pending-chain.ts'
import { resequencedInto } from '../../src/pending/payload-for-tests.ts'
import { createRpcServer, type RpcServer } from '../../src/rpc/server/server.ts'
import type { Caller } from '../../src/rpc/state/client-work.ts'
import { createRpcState, type RpcSources } from '../../src/rpc/state/rpc-state.ts'
import type { RpcConnection } from '../../src/rpc/state/scope.ts'
import { connectForTests } from '../../src/rpc/subscriptions/connection-for-tests.ts'
import { createFeed } from '../../src/upstream/feed/feed.ts'
import { canonicalBlocks } from '../../src/upstream/node/canonical-blocks.ts'
import { createNode } from '../../src/upstream/node/node.ts'
import { type Bend, startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { freePort } from './free-port.ts'

export type PendingRpc = {
  readonly devnet: TestChain
  readonly nodeUrl: string
  readonly rpc: RpcServer
  readonly pendingChain: LivePendingChain
  /** One request; the whole answer. */
  ask(method: string, ...params: readonly unknown[]): Promise<RpcResponse>
  /** One request, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is as many shapes as there are methods
  get(method: string, ...params: readonly unknown[]): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: see above
  batch(...calls: readonly (readonly [method: string, ...params: readonly unknown[]])[]): Promise<any[]>
  /** Makes a flashblock and waits until the view has it. */
  step(): Promise<void>
  /** Seals the block and waits until the view has it. */
  seal(): Promise<void>
  /** Resolves when the view has everything that the chain has. */
  caughtUp(): Promise<void>
}

export type RpcResponse = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type PendingRpcOptions = Partial<Pick<RpcSources, 'latest' | 'limits' | 'ledger' | 'holdsReceipts'>> & {
  readonly isExecuting?: boolean
  /** The feed leaves receipts and balances out. */
  readonly omitsReceipts?: boolean
  /** No feed is followed. */
  readonly hasNoFeed?: boolean
  /** Flashblocks that get lost on the way. */
  readonly loses?: (flashblock: Flashblock) => boolean
  /** Between the RPC and the node. */
  readonly bend?: Bend
}

const log = createLog({ level: 'warn', pretty: false })
const rules = { rulesOf: () => rulesOfFork('isthmus'), staleMs: 600_000 }

/** Ends with the test that started it. */
export async function startPendingRpc(options: PendingRpcOptions = {}): Promise<PendingRpc> {
  await loadPrecompiles()
  const stopping = new AbortController()
  const { signal } = stopping
  const devnet = createTestChain({ startMs: Date.now() })
  const server = await startServer({ chain: devnet.chain, port: Number(await freePort()), log })
  const nodeUrl = `http://127.0.0.1:${server.port}`
  const proxy = options.bend === undefined ? null : await startProxy(nodeUrl, options.bend)
  const node = createNode({ urls: [nodeUrl], log })
  const answeringNode = createNode({ urls: [proxy?.url ?? nodeUrl], log, giveUpAfterMs: 500 })
  const executor = createExecutor({
    ask: (calls, until) => node.batch(calls, until),
    rulesOf: rules.rulesOf,
    chainId: 1_337_200n,
  })
  const pendingChain = createLivePendingChain({
    rules,
    executor: options.isExecuting === false ? null : executor,
    signal,
    stateTimeoutMs: 60_000,
  })
  const followCanonical = async () => {
    for await (const block of canonicalBlocks({ node, log }, signal)) pendingChain.take({ type: 'canonical', block })
  }
  const feed = createFeed({ urls: [`ws://127.0.0.1:${server.port}/flashblocks`], log })
  const followFeed = async () => {
    const receive = resequencedInto(pendingChain)
    for await (const event of feed.events(signal)) {
      if (event.type === 'end') continue
      const { flashblock, receivedMs } = event
      if (options.loses?.(flashblock)) continue
      const reduced = options.omitsReceipts ? { ...flashblock, receipts: null, balances: new Map() } : flashblock
      receive({ flashblock: reduced, receivedMs })
    }
  }
  const following = [followCanonical(), ...(options.hasNoFeed ? [] : [followFeed()])]
  const rpc = createRpcServer(
    createRpcState({
      pendingChain,
      node: answeringNode,
      ledger: options.ledger,
      chainId: 1_337_200n,
      rulesOf: rules.rulesOf,
      latest: options.latest ?? 'canonical',
      holdsReceipts: options.holdsReceipts ?? false,
      limits: options.limits ?? { gasCap: 50_000_000n, callTimeoutMs: 5_000 },
      log,
    }),
  )
  const isCaughtUp = (): boolean => {
    const { snapshot } = pendingChain.view()
    const { chain } = devnet
    if (snapshot.canonical?.hash !== chain.head().hash) return false
    return (
      options.hasNoFeed || chain.pending().hash === chain.head().hash || snapshot.tip?.hash === chain.pending().hash
    )
  }
  const caughtUp = async () => {
    while (!isCaughtUp()) await sleep(2)
    await pendingChain.settled()
  }
  onTestFinished(async () => {
    stopping.abort()
    rpc.stop()
    node.close()
    answeringNode.close()
    await Promise.all(following)
    proxy?.stop()
    await server.stop()
  })
  if (!options.hasNoFeed) while (!feed.status().upstreams[0]!.isConnected) await sleep(5)
  while (pendingChain.view().snapshot.canonical === null) await sleep(5)
  const ask = async (method: string, ...params: readonly unknown[]) =>
    JSON.parse((await rpc.answer(requestText(method, params), SOMEBODY)).text!) as RpcResponse
  return {
    devnet,
    nodeUrl,
    rpc,
    pendingChain,
    ask,
    async get(method, ...params) {
      const { result, error } = await ask(method, ...params)
      if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
      return result
    },
    async batch(...calls) {
      const text = `[${calls.map(([method, ...params]) => requestText(method, params)).join(',')}]`
      return (JSON.parse((await rpc.answer(text, SOMEBODY)).text!) as { result: unknown }[]).map(({ result }) => result)
    },
    async step() {
      devnet.clock.move(200)
      devnet.chain.step()
      await caughtUp()
    },
    async seal() {
      devnet.clock.move(200)
      const { hash } = devnet.chain.seal()
      while (pendingChain.view().snapshot.canonical?.hash !== hash) await sleep(2)
      await pendingChain.settled()
    },
    caughtUp,
  }
}

export type TestClient = {
  readonly connection: RpcConnection
  /** One request over the connection; the whole answer. */
  ask(method: string, ...params: readonly unknown[]): Promise<RpcResponse>
  /** The subscriber events of this subscription, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are kinds
  events(id: unknown): any[]
  close(): void
}

/** A client that stays connected. */
export function connect({ rpc }: PendingRpc): TestClient {
  const { connection, sent, close } = connectForTests()
  const caller: Caller = { client: connection.client, isGone: () => connection.closed.aborted }
  return {
    connection,
    ask: async (method, ...params) =>
      JSON.parse((await rpc.answer(requestText(method, params), caller, connection)).text!),
    events: (id) => sent.filter(({ subscription }) => subscription === id).map(({ result }) => result),
    close,
  }
}

const SOMEBODY: Caller = { client: 'test', isGone: () => false }

function requestText(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function sleep(ms: number) {
  return new Promise<void>((resolve) => setTimeout(resolve, ms))
}
