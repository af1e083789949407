// The states after the last flashblocks, for requests that name a flashblock by its hash or come while the executor is behind.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { LivePendingChain, PendingView } from '../../pending/live-pending-chain.ts'
import { isCanonical } from './block-cache.ts'

export type RecentStates = {
  /** The state after the flashblock with this hash. */
  get(hash: Hex): PendingState | undefined
  /** Resolves when the flashblock with this hash is executed, when its block is canonical, or after `MAX_BEHIND_MS`. */
  untilExecuted(hash: Hex): Promise<void>
  /** The last view that has the state of its tip; undefined if it is older than `MAX_BEHIND_MS` or contradicts the current view. */
  lastExecutedView(current: PendingView): PendingView | undefined
  stop(): void
}

/** Eight seconds of flashblocks. Each state refers to a copy of what is known of the chain's state, so more would cost memory. */
const MAX_STATES = 40
const MAX_BEHIND_MS = 1_000

export function createRecentStates(pendingChain: LivePendingChain): RecentStates {
  const states = new Map<Hex, PendingState>()
  const waiters = new Set<{ readonly hash: Hex; wake(): void }>()
  let executed: { readonly view: PendingView; readonly atMs: number } | undefined

  const add = (view: PendingView): void => {
    if (!hasState(view)) return
    executed = { view, atMs: performance.now() }
    for (const state of view.states) {
      states.delete(state.block.hash)
      states.set(state.block.hash, state)
    }
    while (states.size > MAX_STATES) states.delete(states.keys().next().value!)
  }

  const onView = (view: PendingView): void => {
    add(view)
    for (const { hash, wake } of waiters) if (states.has(hash) || isCanonical(view, hash)) wake()
  }

  onView(pendingChain.view())
  const unsubscribe = pendingChain.on(onView)
  return {
    get: (hash) => states.get(hash),
    async untilExecuted(hash) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter = { hash, wake: resolve }
      waiters.add(waiter)
      const timer = setTimeout(resolve, MAX_BEHIND_MS)
      await promise
      clearTimeout(timer)
      waiters.delete(waiter)
    },
    lastExecutedView(current) {
      if (executed === undefined || performance.now() - executed.atMs > MAX_BEHIND_MS) return undefined
      const { view } = executed
      const hasSameHead = view.snapshot.canonical?.hash === current.snapshot.canonical?.hash
      const tip = view.snapshot.tip!
      const isTipStillPending = current.snapshot.blocks.some(({ payloadId }) => payloadId === tip.payloadId)
      return hasSameHead && isTipStillPending ? view : undefined
    },
    stop: unsubscribe,
  }
}

/** Whether every pending block of the view is executed. */
export function hasState({ snapshot, states }: PendingView): boolean {
  return snapshot.tip !== null && states.length === snapshot.blocks.length
}
