// What one request, or one batch, sees: one view of the pending chain, and the node at the head that the view is built on
// (docs/spec-gaps.md#37).
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { isSettledAs } from '../../pending/pending-chain.ts'
import type { RequestWork } from './client-work.ts'
import { createNodeCalls, type NodeCalls } from './node-calls.ts'
import { hasState } from './recent-states.ts'
import type { RpcState } from './rpc-state.ts'

export type Scope = NodeCalls & {
  readonly rpc: RpcState
  readonly view: PendingView
  readonly isBatch: boolean
  readonly work: RequestWork
  /** Undefined over HTTP: such a client cannot be sent subscriber events. */
  readonly connection: RpcConnection | undefined
  /** The head that `latest` means throughout a batch; the first call that needs it asks the node. */
  head: Promise<Hex> | undefined
}

/** A client that stays connected, over a WebSocket. */
export type RpcConnection = {
  /** As in Caller. */
  readonly client: string
  /** The same results for several subscriptions of this connection. */
  push(ids: readonly string[], results: readonly EventText[]): void
  /** Closes the connection for a reason that the client is given. */
  end(reason: string): void
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal
}

/**
 * The JSON of a result in UTF-8. One array stands for a result wherever it goes, so that it is encoded once, crosses threads once and lies
 * in memory once, for however many subscribers.
 */
export type EventText = Uint8Array

/** `requests` are the parsed but unchecked requests of the batch, or the single request. */
export function openScope(
  rpc: RpcState,
  requests: readonly unknown[],
  { work, connection }: Pick<Scope, 'work' | 'connection'>,
): Scope {
  const isBatch = requests.length > 1
  const readsState = requests.some((request) => isOneOf(STATE_METHODS, request))
  const readsReceipts = requests.some((request) => isOneOf(RECEIPT_METHODS, request))
  const view = chooseView(rpc, { readsState, readsReceipts, isBatch })
  const { ask, askCached } = createNodeCalls(rpc, work)
  return { ask, askCached, rpc, view, isBatch, work, connection, head: undefined }
}

export type Reading = {
  readonly readsState: boolean
  /** Receipts, or the logs in them. */
  readonly readsReceipts: boolean
  readonly isBatch: boolean
}

/**
 * While the executor is behind, a request that reads state or receipts gets the last view that was executed: a receipt that were served
 * before its state would be followed by reads that do not contain it. If that view is not true any more, receipts are only those of
 * canonical blocks; a batch sees nothing pending, because all its answers must be of one moment; a single request that reads state gets
 * what the feed says.
 */
export function chooseView({ pendingChain }: Pick<RpcState, 'pendingChain'>, reading: Reading): PendingView {
  const { readsState, readsReceipts, isBatch } = reading
  const current = pendingChain.view()
  if (current.snapshot.tip === null || hasState(current) || !(readsState || readsReceipts)) return current
  const executed = pendingChain.executedView()
  if (executed === current) return isBatch && readsState ? withoutPending(current) : current
  if (executed.snapshot.tip !== null && isStillTrue(executed, current)) return executed
  return isBatch || readsReceipts ? withoutPending(current) : current
}

/** Whether all that an earlier view contains is pending or canonical now, and the canonical head is in it or below it. */
function isStillTrue({ snapshot: { blocks, canonical } }: PendingView, current: PendingView): boolean {
  const head = current.snapshot.canonical
  if (head === null) return false
  const isPending = ({ payloadId }: PendingBlock) =>
    current.snapshot.blocks.some((block) => block.payloadId === payloadId)
  const isKept = ({ hash }: PendingBlock) => current.chain.archive.some((block) => block.hash === hash)
  return (
    (head.hash === canonical?.hash || blocks.some((block) => isSettledAs(block, head))) &&
    blocks.every((block) => isPending(block) || isKept(block))
  )
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
  'debug_traceBlockByHash',
  'debug_traceBlockByNumber',
  'debug_traceCall',
  'debug_traceTransaction',
])

const RECEIPT_METHODS: ReadonlySet<unknown> = new Set([
  'eth_getTransactionReceipt',
  'eth_getBlockReceipts',
  'eth_getLogs',
])

function isOneOf(methods: ReadonlySet<unknown>, request: unknown): boolean {
  return typeof request === 'object' && request !== null && 'method' in request && methods.has(request.method)
}
