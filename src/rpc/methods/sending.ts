// Sending signed transactions: the node takes them, and the pending chain shows when they are preconfirmed.
import type { Hex } from '../../chain/bytes/hex.ts'
import { createWakeSignal } from '../../lib/async/wait.ts'
import { JsonRpcError } from '../../lib/json/json-rpc.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import { findTransaction } from '../state/block-cache.ts'
import { receiptAt } from '../state/block-json.ts'
import type { Scope } from '../state/scope.ts'
import type { RpcHandlers } from './handlers.ts'

const DEFAULT_TIMEOUT_MS = 5_000
/** How often the node is asked for a receipt while nothing is preconfirmed. */
const POLL_MS = 200
/** The code of EIP-7966. */
const NOT_INCLUDED_IN_TIME = 4

export const sendingMethods: Pick<RpcHandlers, 'eth_sendRawTransaction' | 'eth_sendRawTransactionSync'> = {
  eth_sendRawTransaction: (scope, [raw]) => sendRaw(scope, raw),

  /** EIP-7966. It follows the views before it sends, so that it misses none in between. */
  async eth_sendRawTransactionSync(scope, [raw, timeout]) {
    const { pendingChain, signal } = scope.rpc
    const timeoutMs = timeout ?? DEFAULT_TIMEOUT_MS
    const newView = createWakeSignal()
    const unsubscribe = pendingChain.on(newView.wake)
    let headAsked = pendingChain.view().snapshot.canonical?.hash
    try {
      const hash = await sendRaw(scope, raw)
      const deadlineMs = performance.now() + timeoutMs
      for (;;) {
        signal.throwIfAborted()
        const view = pendingChain.view()
        const preconfirmed = preconfirmedReceipt(scope, view, hash)
        if (preconfirmed !== null) return preconfirmed
        const isNothingPending = view.snapshot.tip === null
        const head = view.snapshot.canonical?.hash
        // A new head may contain the transaction although no flashblock did: flashblocks get lost.
        const asksNode = isNothingPending || head !== headAsked
        headAsked = head
        const included = asksNode ? await scope.ask('eth_getTransactionReceipt', [hash]).catch(() => null) : null
        if (included !== null) return included
        const leftMs = deadlineMs - performance.now()
        if (leftMs <= 0) throw notIncludedYet(timeoutMs, hash)
        await newView.wait(Math.min(leftMs, isNothingPending ? POLL_MS : leftMs), signal)
      }
    } finally {
      unsubscribe()
    }
  },
}

async function sendRaw(scope: Scope, raw: string): Promise<Hex> {
  const atMs = Date.now()
  const hash = (await scope.ask('eth_sendRawTransaction', [raw])) as Hex
  scope.rpc.ledger?.seen(hash, atMs)
  return hash
}

function preconfirmedReceipt({ rpc }: Scope, view: PendingView, hash: Hex) {
  const found = findTransaction(rpc.blockCache, view, hash)
  return found === null ? null : receiptAt(found.block, found.index)
}

/** The node has the transaction, but no flashblock contains it yet. */
function notIncludedYet(timeoutMs: number, hash: Hex): JsonRpcError {
  const message = `the transaction was accepted but not included within ${timeoutMs} ms`
  return new JsonRpcError(NOT_INCLUDED_IN_TIME, message, hash)
}
