// What this thread knows of the last moments besides the newest view: canonical blocks that it heard whole from the feed, and the states
// after the last flashblocks.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { LivePendingChain, PendingView } from '../../pending/live-pending-chain.ts'
import { type PendingBlock, receiptsOf } from '../../pending/pending-block.ts'
import type { PendingLocation } from '../../pending/snapshot.ts'

export type RecentBlocks = {
  /** After the flashblock with this hash. */
  state(hash: Hex): PendingState | null
  /** Until the flashblock with this hash is executed, or its block is canonical; not for long. */
  untilExecuted(hash: Hex): Promise<void>
  /** The last view with the state of its tip, while it is only a moment old and what it tells still holds. */
  lastExecutedView(current: PendingView): PendingView | null
  stop(): void
}

export function createRecentBlocks(pendingChain: LivePendingChain): RecentBlocks {
  const states = new Map<Hex, PendingState>()
  const waiting = new Set<{ readonly hash: Hex; wake(): void }>()
  let executed: { readonly view: PendingView; readonly atMs: number } | null = null

  const take = (view: PendingView): void => {
    keep(view)
    for (const { hash, wake } of waiting) if (states.has(hash) || isCanonical(view, hash)) wake()
  }

  const keep = (view: PendingView): void => {
    if (!hasState(view)) return
    executed = { view, atMs: performance.now() }
    for (const state of view.states) {
      states.delete(state.block.hash)
      states.set(state.block.hash, state)
    }
    while (states.size > STATES_KEPT) states.delete(states.keys().next().value!)
  }

  take(pendingChain.view())
  const end = pendingChain.on(take)
  return {
    state: (hash) => states.get(hash) ?? null,
    async untilExecuted(hash) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter = { hash, wake: resolve }
      waiting.add(waiter)
      const timer = setTimeout(resolve, LONGEST_BEHIND_MS)
      await promise
      clearTimeout(timer)
      waiting.delete(waiter)
    },
    lastExecutedView(current) {
      if (executed === null || performance.now() - executed.atMs > LONGEST_BEHIND_MS) return null
      const { view } = executed
      const isSameGround = view.snapshot.canonical?.hash === current.snapshot.canonical?.hash
      const tip = view.snapshot.tip!
      const isStillSo = current.snapshot.blocks.some(({ payloadId }) => payloadId === tip.payloadId)
      return isSameGround && isStillSo ? view : null
    },
    stop: end,
  }
}

export function isCanonical({ chain }: PendingView, hash: Hex): boolean {
  return chain.heads.some((head) => head.hash === hash)
}

export function hasState({ snapshot, states }: PendingView): boolean {
  return snapshot.tip !== null && states.length === snapshot.blocks.length
}

/** The canonical block of this hash or height, where its flashblocks told all of it. */
export function sealedBlock({ chain, snapshot }: PendingView, at: Hex | number): PendingBlock | null {
  const head = chain.heads.findLast(({ hash, height }) => hash === at || height === at)
  const block = head === undefined ? null : snapshot.blockByHash(head.hash)
  return block !== null && isWhole(block) ? block : null
}

/** In a preconfirmed block, or in a canonical one that we know. */
export function findTransaction(view: PendingView, hash: Hex): PendingLocation | null {
  const pending = view.snapshot.transaction(hash)
  if (pending !== null) return pending
  for (const head of view.chain.heads.toReversed()) {
    const block = view.snapshot.blockByHash(head.hash)
    const index = block === null ? undefined : indicesOf(block).get(hash)
    if (index !== undefined) return isWhole(block!) ? { block: block!, index } : null
  }
  return null
}

const wholeness = new WeakMap<PendingBlock, boolean>()

function isWhole(block: PendingBlock): boolean {
  const known = wholeness.get(block) ?? (block.isProven && receiptsOf(block) !== null)
  wholeness.set(block, known)
  return known
}

const indices = new WeakMap<PendingBlock, ReadonlyMap<Hex, number>>()

function indicesOf(block: PendingBlock): ReadonlyMap<Hex, number> {
  const known = indices.get(block) ?? new Map(block.transactions.map(({ recovered }, index) => [recovered.hash, index]))
  indices.set(block, known)
  return known
}

/** Eight seconds of flashblocks. More would keep many old copies of what is known of the chain's state. */
const STATES_KEPT = 40
const LONGEST_BEHIND_MS = 1_000
