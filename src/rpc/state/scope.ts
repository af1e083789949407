// What one request, or one batch, sees: one view of the pending chain, and the node at the head that the view is built on
// (docs/spec-gaps.md#37).
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import { createNodeCalls, type NodeCalls } from './node-calls.ts'
import { hasState } from './recent-states.ts'
import type { RpcState } from './rpc-state.ts'

export type Scope = NodeCalls & {
  readonly rpc: RpcState
  readonly view: PendingView
  readonly isBatch: boolean
  /** Undefined over HTTP: such a client cannot be sent subscriber events. */
  readonly connection: RpcConnection | undefined
  /** The head that `latest` means throughout a batch; the first call that needs it asks the node. */
  head: Promise<Hex> | undefined
}

/** A client that stays connected, over a WebSocket. */
export type RpcConnection = {
  /** False once the connection is closed; then its subscriptions end. */
  send(text: string): boolean
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal
}

/** `requests` are the parsed but unchecked requests of the batch, or the single request. */
export function openScope(rpc: RpcState, requests: readonly unknown[], connection: RpcConnection | undefined): Scope {
  const isBatch = requests.length > 1
  const view = chooseView(rpc, { readsState: requests.some(readsState), isBatch })
  const { ask, askCached } = createNodeCalls(rpc)
  return { ask, askCached, rpc, view, isBatch, connection, head: undefined }
}

/**
 * If a request reads state and the executor is behind for a moment, it gets the last view that was executed. If the executor stays behind,
 * a batch sees nothing pending, because all its answers must be of one moment.
 */
export function chooseView(
  { pendingChain, recentStates }: Pick<RpcState, 'pendingChain' | 'recentStates'>,
  { readsState, isBatch }: { readonly readsState: boolean; readonly isBatch: boolean },
): PendingView {
  const current = pendingChain.view()
  if (!readsState || current.snapshot.tip === null || hasState(current)) return current
  return recentStates.lastExecutedView(current) ?? (isBatch ? withoutPending(current) : current)
}

function withoutPending(view: PendingView): PendingView {
  return {
    ...view,
    states: [],
    snapshot: {
      ...view.snapshot,
      blocks: [],
      tip: null,
      blockByNumber: () => null,
      transaction: () => null,
    },
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

function readsState(request: unknown): boolean {
  return typeof request === 'object' && request !== null && 'method' in request && STATE_METHODS.has(request.method)
}
