// The state of a server over a pending chain that a test builds itself, and a node that answers from a table.
import { onTestFinished } from 'vitest'
import { rulesOfFork } from '../../chain/rules/forks.ts'
import { createLog } from '../../lib/log.ts'
import type { Executor } from '../../pending/executor.ts'
import { createLivePendingChain, type LivePendingChain } from '../../pending/live-pending-chain.ts'
import { groundAt, makePayload, type Payload, resequencedInto } from '../../pending/payload-for-tests.ts'
import type { Received } from '../../upstream/feed/resequencer.ts'
import type { Answer } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'
import { createRpcState, type RpcSources, type RpcState } from './rpc-state.ts'
import { openScope, type RpcConnection, type Scope } from './scope.ts'
import { workForTests } from './work-for-tests.ts'

export type TestState = {
  readonly rpc: RpcState
  readonly pendingChain: LivePendingChain
  /** The methods and parameters that the node was asked for, in order. */
  readonly asked: (readonly [method: string, params: readonly unknown[]])[]
  readonly payload: Payload
  /** Takes a flashblock as the feed does. */
  receive(received: Received): void
  scope(methods?: readonly string[], connection?: RpcConnection): Scope
}

export type TestStateOptions = Partial<Pick<RpcSources, 'latest' | 'ledger'>> & {
  /** Results of the node by method; a method without one is refused. */
  readonly node?: Readonly<Record<string, unknown>>
  readonly executor?: Executor
  /** How many flashblocks of the block at height 8 have arrived; each has two transactions. */
  readonly flashblocks?: number
}

const GROUND = groundAt(7)

/** Block 7 is canonical; of block 8 there are flashblocks. */
/** In place of a result: the node does not answer. */
export const SILENCE = Symbol('silence')

export function createTestState({
  node = {},
  executor,
  flashblocks = 2,
  ...sources
}: TestStateOptions = {}): TestState {
  const rulesOf = () => rulesOfFork('isthmus')
  const stopping = new AbortController()
  const asked: TestState['asked'] = []
  const pendingChain = createLivePendingChain({
    rules: { rulesOf, staleMs: 600_000 },
    executor: executor ?? null,
    signal: stopping.signal,
  })
  const receive = resequencedInto(pendingChain)
  const payload = makePayload({ parentHash: GROUND.hash, height: 8, name: 'a', counts: [2, 2, 2] })
  pendingChain.take({ type: 'canonical', block: GROUND })
  for (const flashblock of payload.flashblocks.slice(0, flashblocks)) {
    receive({ flashblock, receivedMs: Date.now() })
  }
  const rpc = createRpcState({
    pendingChain,
    node: {
      ask: async (calls) =>
        calls.map(({ method, params }): Answer => {
          asked.push([method, params])
          if (node[method] === SILENCE) throw new Error('the node is silent')
          return method in node
            ? { type: 'result', result: node[method] }
            : { type: 'refused', code: -32601, message: 'the node has no such method' }
        }),
    } as Partial<Node> as Node,
    chainId: 10n,
    rulesOf,
    latest: 'canonical',
    limits: { gasCap: 50_000_000n, callTimeoutMs: 1_000 },
    log: createLog({ level: 'silent', pretty: false }),
    ...sources,
  })
  onTestFinished(() => {
    rpc.stop()
    stopping.abort()
  })
  const scope: TestState['scope'] = (methods = ['eth_blockNumber'], connection = undefined) =>
    openScope(
      rpc,
      methods.map((method) => ({ method })),
      { work: workForTests(), connection },
    )
  return { rpc, pendingChain, asked, payload, receive, scope }
}
