// The pending chain in operation: events go in one by one, readers get one view at a time, swapped whole. A view waits for its state,
// but not for long, so that answers about blocks and about state are of one moment.

import type { Hex } from '../chain/bytes/hex.ts'
import type { ExecutionResult, Executor, PendingState } from './executor.ts'
import type { PendingBlock } from './pending-block.ts'
import {
  type CanonicalHead,
  EMPTY_CHAIN,
  type PendingChain,
  type PendingChainRules,
  type PendingEvent,
  pendingChainAfter,
} from './pending-chain.ts'

export type PendingView = {
  readonly chain: PendingChain
  readonly snapshot: Snapshot
  /** After each of the snapshot's blocks, lowest first; empty where there is none. */
  readonly states: readonly PendingState[]
  /** Why there is no state though something is pending. */
  readonly problem: string | null
}

export type LivePendingChain = {
  take(event: PendingEvent): void
  view(): PendingView
  /**
   * The newest view that has the state after each of its blocks: receipts are served from it, so that whoever has a receipt finds its state.
   * It is the newest view itself unless the executor is behind or has a problem, and where there is no executor.
   */
  executedView(): PendingView
  /** Without one, only what the feed itself says is answered. */
  readonly hasExecutor: boolean
  /** Includes events that were applied but are not in the view yet. */
  chain(): PendingChain
  /** Called with every new view; returns a function that ends it. */
  on(listener: (view: PendingView) => void): () => void
  /** Resolves when all events applied so far are in the view. */
  settled(): Promise<void>
}

export type LivePendingChainParts = {
  readonly rules: PendingChainRules
  /** Null when only what the feed itself contains is answered. */
  readonly executor: Executor | null
  /** Aborts the execution under way. */
  readonly signal: AbortSignal
  /** How long a view waits for its state; longer while execution takes longer, up to a second. */
  readonly stateTimeoutMs?: number
  /** The executor failed in a way it must not; until the next event there is no state. */
  readonly onBug?: (error: unknown) => void
}

export function createLivePendingChain(dependencies: LivePendingChainParts): LivePendingChain {
  const {
    rules,
    executor,
    signal,
    stateTimeoutMs: shortestTimeoutMs = SHORTEST_TIMEOUT_MS,
    onBug = rethrow,
  } = dependencies
  const listeners = new Set<(view: PendingView) => void>()
  let chain = EMPTY_CHAIN
  let view = viewOf(chain, executor === null ? OFF : NOTHING_EXECUTED)
  let executedView = view
  let executing: Promise<void> | null = null
  /** The execution under way takes too long: until it ends, views have no state. */
  let isBehind = false
  let timeoutMs = shortestTimeoutMs

  const publish = (of: PendingChain, following: ExecutionResult): void => {
    view = viewOf(of, following)
    if (executor === null || following.type === 'executed') executedView = view
    for (const listener of listeners) listener(view)
  }

  const failed = (error: unknown): ExecutionResult => {
    onBug(error)
    return { type: 'unavailable', reason: `the executor failed: ${(error as Error).message}` }
  }

  const execute = async (by: Executor): Promise<void> => {
    let done: PendingChain | null = null
    while (done !== chain && !signal.aborted) {
      const current = chain
      const late = setTimeout(() => {
        isBehind = true
        publish(chain, BEHIND)
      }, timeoutMs)
      const following = await by
        .follow(current, signal)
        .catch(failed)
        .finally(() => clearTimeout(late))
      done = filled(rules, current, following)
      chain = chain === current ? done : filled(rules, chain, following)
      // A view that was shown without state meanwhile must not be replaced by an older one with state.
      if (!isBehind || done === chain) publish(done, following)
      else {
        if (following.type === 'executed') executedView = viewOf(done, following)
        publish(chain, BEHIND)
      }
      // On a machine that is too slow, views that come later are better than views that never have state.
      timeoutMs = Math.min(
        Math.max(shortestTimeoutMs, isBehind ? timeoutMs * 2 : timeoutMs * TIMEOUT_DECAY),
        Math.max(shortestTimeoutMs, LONGEST_TIMEOUT_MS),
      )
      isBehind = false
    }
  }

  return {
    take(event) {
      const next = pendingChainAfter(rules, chain, event)
      if (next === chain) return
      chain = next
      if (executor === null) return publish(chain, OFF)
      if (isBehind) publish(chain, BEHIND)
      executing ??= execute(executor).finally(() => {
        executing = null
      })
    },
    view: () => view,
    executedView: () => executedView,
    hasExecutor: executor !== null,
    chain: () => chain,
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    settled: async () => {
      await executing
    },
  }
}

function rethrow(error: unknown): never {
  throw error
}

const SHORTEST_TIMEOUT_MS = 100
const LONGEST_TIMEOUT_MS = 1_000
const TIMEOUT_DECAY = 0.95

const NOTHING_EXECUTED: ExecutionResult = { type: 'executed', states: [] }
const OFF: ExecutionResult = { type: 'unavailable', reason: 'the executor is off' }
/** The problem of a view whose state is still being computed. */
export const EXECUTOR_IS_BEHIND = 'the executor is behind'
const BEHIND: ExecutionResult = { type: 'unavailable', reason: EXECUTOR_IS_BEHIND }

function viewOf(chain: PendingChain, following: ExecutionResult): PendingView {
  const snapshot = snapshotOf(chain)
  if (following.type === 'executed') {
    return Object.freeze({ chain, snapshot, states: following.states.slice(0, snapshot.blocks.length), problem: null })
  }
  return Object.freeze({ chain, snapshot, states: [], problem: following.reason })
}

/** The chain with the receipts that the feed left out. */
function filled(rules: PendingChainRules, chain: PendingChain, following: ExecutionResult): PendingChain {
  if (following.type !== 'executed') return chain
  return following.states.reduce((before, { block, receipts }) => {
    const isComplete = block.transactions.every(({ outcome }) => outcome !== null)
    return isComplete ? before : pendingChainAfter(rules, before, { type: 'executed', hash: block.hash, receipts })
  }, chain)
}

/** The pending chain as its readers see it: one moment, whole, that never changes under them. */
export type Snapshot = {
  readonly canonical: CanonicalHead | null
  /** Above the canonical head, lowest first; empty where `pending` is to answer `latest`. */
  readonly blocks: readonly PendingBlock[]
  /** The last of them. */
  readonly tip: PendingBlock | null
  readonly isStale: boolean
  /** When it last became newer, by the monotonic clock; null before the first flashblock. */
  readonly advancedMs: number | null
  blockByNumber(height: number): PendingBlock | null
  /** Any flashblock of the last blocks by its hash, as the block was then. */
  blockByHash(hash: Hex): PendingBlock | null
  /** In a block that is not canonical yet. */
  transaction(hash: Hex): PendingLocation | null
}

export type PendingLocation = { readonly block: PendingBlock; readonly index: number }

export function snapshotOf(chain: PendingChain): Snapshot {
  const blocks = chain.isStale ? [] : chain.blocks
  const versions = once(() => versionsByHash(chain))
  const locations = once(() => locationsByHash(blocks))
  return Object.freeze({
    canonical: chain.canonical,
    blocks,
    tip: blocks.at(-1) ?? null,
    isStale: chain.isStale,
    advancedMs: chain.pace.advancedMs,
    blockByNumber: (height: number) => blocks.find(({ header }) => header.number === height) ?? null,
    blockByHash: (hash: Hex) => versions().get(hash) ?? null,
    transaction: (hash: Hex) => locations().get(hash) ?? null,
  })
}

function versionsByHash({ archive, sequences }: PendingChain): ReadonlyMap<Hex, PendingBlock> {
  const versions = [...archive, ...sequences.flatMap((sequence) => sequence.versions)]
  return new Map(versions.map((version) => [version.hash, version]))
}

function locationsByHash(blocks: readonly PendingBlock[]): ReadonlyMap<Hex, PendingLocation> {
  return new Map(
    blocks.flatMap((block) =>
      block.transactions.map(({ recovered }, index) => [recovered.hash, { block, index }] as const),
    ),
  )
}

/** The maps are built only when somebody reads them, because most snapshots are replaced unread. */
function once<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}
