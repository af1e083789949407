// E20: JSON-RPC text in, JSON-RPC text out, everything of one request or one batch from one view of the pending chain.
import type { Hex } from '../../chain/bytes/hex.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import { answerJsonRpc, type JsonRpcError, type JsonRpcParams } from '../../lib/json/json-rpc.ts'
import type { Log } from '../../lib/log.ts'
import type { LivePendingChain } from '../../pending/live-pending-chain.ts'
import type { RulesOf } from '../../pending/pending-block.ts'
import type { Node } from '../../upstream/node/node.ts'
import { blockMethods } from '../methods/blocks.ts'
import { callMethods, plainCall } from '../methods/calls.ts'
import { debugMethods } from '../methods/debug.ts'
import { feeMethods } from '../methods/fees.ts'
import { logMethods } from '../methods/logs.ts'
import { nodeMethods } from '../methods/node.ts'
import { sendingMethods } from '../methods/sending.ts'
import { simulateMethods } from '../methods/simulate.ts'
import { stateMethods } from '../methods/state.ts'
import { statusMethods } from '../methods/status.ts'
import { subscriptionMethods } from '../methods/subscriptions.ts'
import { transactionMethods } from '../methods/transactions.ts'
import { createNodeAnswerCache, createNodeCalls } from '../state/node-calls.ts'
import { createRecentBlocks } from '../state/recent-blocks.ts'
import { chooseView, type Scope } from '../state/scope.ts'
import { createTimeSlice } from '../state/time-slices.ts'
import { onceKnown } from '../state/value-or-promise.ts'
import { publishEvents } from '../subscriptions/publish-events.ts'
import { createSubscriptions, type Subscriptions } from '../subscriptions/subscriptions.ts'
import { createDispatch, type Dispatch, type RpcHandlers, rpcBug } from './dispatch.ts'

export type RpcServer = {
  /** Never throws. `connection` is there where the client can be told something unasked. */
  answer(text: string, connection?: RpcConnection): RpcAnswer | Promise<RpcAnswer>
  /** Ends what is under way; nothing is answered after it. */
  stop(): void
}

export type RpcAnswer = {
  /** Undefined where nothing is to be sent: a notification. */
  readonly text: string | undefined
  /** Since the pending chain last advanced, for the header `flashblocks-age-ms`; null before the first flashblock. */
  readonly ageMs: number | null
}

/** A client that stays, over a WebSocket. */
export type RpcConnection = {
  /** False where the client does not keep up: what it was to be told is lost, and its subscriptions end. */
  send(text: string): boolean
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal
}

export type RpcDependencies = {
  readonly pendingChain: LivePendingChain
  readonly node: Node
  /** What became of a transaction; without it only what is known right now is told. */
  readonly ledger?: TransactionStages | undefined
  readonly chainId: bigint
  readonly rulesOf: RulesOf
  /** What the tag `latest` means while something is preconfirmed (docs/spec-gaps.md#35). */
  readonly latest: 'canonical' | 'preconfirmed'
  readonly limits: RpcLimits
  readonly log: Log
}

export type TransactionStages = {
  /** As JSON-RPC shows it; null for a transaction that was never heard of. */
  stagesOf(hash: Hex): unknown
  /** A transaction came through our RPC at this time, and the node took it. */
  seen(hash: Hex, atMs: number): void
}

export type RpcLimits = {
  /** Of one call, one attempt of an estimate, or one simulation. */
  readonly gasCap: bigint
  readonly callTimeoutMs: number
  readonly maxBatch?: number
  readonly maxResponseChars?: number
  readonly maxSubscriptions?: number
}

export function createRpcServer(dependencies: RpcDependencies): RpcServer {
  const { pendingChain, node, log, limits, latest } = dependencies
  const stopping = new AbortController()
  const { signal } = stopping
  const recent = createRecentBlocks(pendingChain)
  const lasting = createNodeAnswerCache()
  const subscriptions = createSubscriptions(limits.maxSubscriptions ?? MAX_SUBSCRIPTIONS)
  const dispatch = createDispatch(createHandlers(subscriptions))
  const nodeCalls = () => createNodeCalls({ node, lasting, log, signal })
  const endTelling = publishEvents({ pendingChain, subscriptions, nodeCalls: nodeCalls(), latest, log })

  return {
    answer(text, connection) {
      const turn = createTimeSlice()
      const current = pendingChain.view()
      let scope: Scope | undefined
      const open = (requests: readonly unknown[]): Scope => {
        const isBatch = requests.length > 1
        const view = chooseView(current, recent, { asksForState: requests.some(asksForState), isBatch })
        return { ...nodeCalls(), dependencies, view, recent, isBatch, connection, signal, head: null }
      }
      const server = {
        begin: (requests: readonly unknown[]) => {
          scope = open(requests)
        },
        call(method: string, params: JsonRpcParams): unknown {
          const waiting = turn.take()
          const run = () => callOf(dispatch, scope!, method, params)
          return waiting === undefined ? run() : waiting.then(run)
        },
        onBug(error: unknown, method: string): JsonRpcError {
          if (signal.aborted) return serverError('the service is stopping')
          const errorId = crypto.randomUUID()
          log.error({ errorId, method, error }, 'bug')
          return rpcBug(errorId)
        },
        maxBatch: limits.maxBatch ?? MAX_BATCH,
        maxResponseChars: limits.maxResponseChars ?? MAX_RESPONSE_CHARS,
        atOnce: AT_ONCE,
      }
      const { advancedMs } = current.snapshot
      return onceKnown(answerJsonRpc(server, text), (answered) => ({
        text: answered,
        ageMs: advancedMs === null ? null : Math.max(0, Date.now() - advancedMs),
      }))
    },
    stop() {
      stopping.abort()
      endTelling()
      recent.stop()
    },
  }
}

function callOf(dispatch: Dispatch, scope: Scope, method: string, params: JsonRpcParams): unknown {
  const plain = method === 'eth_call' && Array.isArray(params) ? plainCall(scope, params) : null
  return plain ?? dispatch(scope, method, params)
}

function createHandlers(subscriptions: Subscriptions): RpcHandlers {
  return {
    ...blockMethods,
    ...transactionMethods,
    ...stateMethods,
    ...callMethods,
    ...logMethods,
    ...feeMethods,
    ...sendingMethods,
    ...simulateMethods,
    ...debugMethods,
    ...nodeMethods,
    ...statusMethods,
    ...subscriptionMethods(subscriptions),
  }
}

const STATE_METHODS: ReadonlySet<unknown> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_simulateV1',
  'debug_traceCall',
  'debug_traceTransaction',
])

function asksForState(request: unknown): boolean {
  return typeof request === 'object' && request !== null && 'method' in request && STATE_METHODS.has(request.method)
}

const MAX_BATCH = 1_000
const MAX_RESPONSE_CHARS = 50_000_000
const MAX_SUBSCRIPTIONS = 100
/** Calls of one batch that may wait for the node together. */
const AT_ONCE = 100
