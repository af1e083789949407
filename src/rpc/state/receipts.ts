// Receipts, and the wait for them. A receipt is served only when reads at `pending` contain its transaction: from an executed view, from a
// canonical block, or from the node once the pending chain has reached the block that the node knows (docs/spec-gaps.md#36a).
import type { Hex } from '../../chain/bytes/hex.ts'
import { asObject, hashOf, isPresent, numberOf } from '../../chain/rpc/fields.ts'
import { createWakeSignal } from '../../lib/async/wait.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import { findTransaction } from './block-cache.ts'
import { receiptAt } from './block-json.ts'
import type { RpcState } from './rpc-state.ts'
import { chooseView, type Scope } from './scope.ts'

/** Above it a request for a receipt is answered at once. */
const MAX_WAITING = 2_000
/** How often the node is asked for a receipt while nothing is preconfirmed. */
const POLL_MS = 200

/** Of a preconfirmed transaction whose state is known, or of one in a canonical block that is known in full. */
export function knownReceipt({ blockCache }: Pick<RpcState, 'blockCache'>, view: PendingView, hash: Hex) {
  const found = findTransaction(blockCache, view, hash)
  return found === null ? null : receiptAt(found.block, found.index)
}

/** The receipt that the node knows; null while its block is not in the pending chain's canonical part, for a block time at most. */
export async function receiptOfNode(scope: Scope, params: readonly [hash: Hex]): Promise<unknown> {
  const receipt = await scope.ask('eth_getTransactionReceipt', params)
  if (!isAhead(scope.rpc, receipt)) return receipt
  const head = scope.rpc.pendingChain.view().snapshot.canonical?.hash
  return awaitReceipt(scope, params[0], { timeoutMs: blockTimeMs(scope.rpc), headAsked: head, ofNode: receipt })
}

/**
 * A transaction that was just sent through this server is about to be preconfirmed: a client that asks for its receipt gets it with the
 * flashblock, instead of `null` and a pause until it asks again. Undefined for any other transaction.
 */
export function receiptOfSent(scope: Scope, hash: Hex): Promise<unknown> | undefined {
  const { holdsReceipts, sent, pendingChain } = scope.rpc
  // In a batch, every other answer would wait too.
  if (!holdsReceipts || scope.isBatch || pendingChain.view().snapshot.isStale) return undefined
  const sending = sent.headAtSending.get(hash)
  if (sending === undefined || sent.waiting >= MAX_WAITING) return undefined
  sent.waiting++
  return awaitReceipt(scope, hash, { timeoutMs: blockTimeMs(scope.rpc), headAsked: sending.head }).finally(() => {
    sent.waiting--
  })
}

export type ReceiptWait = {
  readonly timeoutMs: number
  /** The canonical head for which the node need not be asked again. */
  readonly headAsked: Hex | undefined
  /** What the node answered before the pending chain had the block. */
  readonly ofNode?: unknown
}

/** Null if there is none within the time. */
export async function awaitReceipt(scope: Scope, hash: Hex, wait: ReceiptWait): Promise<unknown> {
  const { rpc } = scope
  const { pendingChain, signal } = rpc
  const deadlineMs = performance.now() + wait.timeoutMs
  const newView = createWakeSignal()
  const unsubscribe = pendingChain.on(newView.wake)
  let { headAsked, ofNode = null } = wait
  try {
    for (;;) {
      signal.throwIfAborted()
      const known = knownReceipt(rpc, chooseView(rpc, RECEIPTS), hash)
      if (known !== null) return known
      if (ofNode !== null && !isAhead(rpc, ofNode)) return ofNode
      const { tip, canonical } = pendingChain.view().snapshot
      // A new head may contain the transaction although no flashblock did: flashblocks get lost.
      if (tip === null || canonical?.hash !== headAsked) {
        headAsked = canonical?.hash
        ofNode = await scope.ask('eth_getTransactionReceipt', [hash]).catch(() => null)
        if (ofNode !== null && !isAhead(rpc, ofNode)) return ofNode
      }
      const leftMs = deadlineMs - performance.now()
      if (leftMs <= 0) return null
      await newView.wait(tip === null ? Math.min(leftMs, POLL_MS) : leftMs, signal)
    }
  } finally {
    unsubscribe()
  }
}

const RECEIPTS = { readsState: false, readsReceipts: true, isBatch: false }

/**
 * Whether the node's receipt is of a block that the pending chain has not got yet: reads at `pending` would not contain it. Without an
 * executor, and while the feed is stale, those reads are the node's own.
 */
function isAhead({ pendingChain }: Pick<RpcState, 'pendingChain'>, receipt: unknown): boolean {
  const { snapshot, chain } = pendingChain.view()
  if (receipt === null || !pendingChain.hasExecutor || snapshot.isStale || snapshot.canonical === null) return false
  const fields = asObject(receipt, 'receipt')
  if (!isPresent(fields, 'blockNumber') || !isPresent(fields, 'blockHash')) return true
  const height = numberOf(fields, 'blockNumber')
  if (height > snapshot.canonical.height) return true
  const head = chain.heads.find((each) => each.height === height)
  return head !== undefined && head.hash !== hashOf(fields, 'blockHash')
}

/** Among the canonical blocks that the pending chain still has. */
export function blockTimeMs({ pendingChain }: Pick<RpcState, 'pendingChain'>): number {
  const { heads } = pendingChain.view().chain
  const [first, last] = [heads[0], heads.at(-1)]
  if (first === undefined || last === undefined || last.height === first.height) return DEFAULT_BLOCK_MS
  const ms = ((last.timestamp - first.timestamp) * 1000) / (last.height - first.height)
  return Math.min(Math.max(ms, SHORTEST_BLOCK_MS), LONGEST_BLOCK_MS)
}

const DEFAULT_BLOCK_MS = 2_000
const SHORTEST_BLOCK_MS = 200
const LONGEST_BLOCK_MS = 12_000
