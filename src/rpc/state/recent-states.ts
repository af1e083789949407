// The states after the last flashblocks, for requests that name a flashblock by its hash.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { LivePendingChain, PendingView } from '../../pending/live-pending-chain.ts'
import { isCanonical } from './block-cache.ts'

export type RecentStates = {
  /** The state after the flashblock with this hash. */
  get(hash: Hex): PendingState | undefined
  /** Resolves when the flashblock with this hash is executed, when its block is canonical, or after `MAX_BEHIND_MS`. */
  untilExecuted(hash: Hex): Promise<void>
  stop(): void
}

/** Eight seconds of flashblocks. Each state refers to a copy of what is known of the chain's state, so more would cost memory. */
const MAX_STATES = 40
const MAX_BEHIND_MS = 1_000

export function createRecentStates(pendingChain: LivePendingChain): RecentStates {
  const states = new Map<Hex, PendingState>()
  const waiters = new Set<{ readonly hash: Hex; wake(): void }>()

  const add = ({ states: added }: PendingView): void => {
    for (const state of added) {
      states.delete(state.block.hash)
      states.set(state.block.hash, state)
    }
    while (states.size > MAX_STATES) states.delete(states.keys().next().value!)
  }

  const onView = (view: PendingView): void => {
    add(pendingChain.executedView())
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
    stop: unsubscribe,
  }
}

/** Whether every pending block of the view is executed. */
export function hasState({ snapshot, states }: PendingView): boolean {
  return snapshot.tip !== null && states.length === snapshot.blocks.length
}
