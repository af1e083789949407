// Puts flashblocks in order, once each. Upstreams deliver them in any order, twice, not at all, and contradict each other; this is the one
// module that judges that, and the pending chain, the ledger and the relay read its output. Pure: a state and an event give the next state
// and the items that follow from the event.
//
// A payload grows by the flashblock that has the next index and whose header, recomputed, gives the announced block hash. Everything else
// waits, within a bound for each upstream, so that an upstream that lies cannot use up the room of the others. When another payload
// begins, the relay stops waiting for what is missing: the flashblocks behind it are released unverified, with a gap before them. The
// pending chain never stops waiting: a late index still completes its payload.
import type { Hex } from '../../chain/bytes/hex.ts'
import { transactionsRoot } from '../../chain/codec/block.ts'
import {
  continues,
  type Flashblock,
  type FlashblockBase,
  type FlashblockPosition,
  flashblockHeader,
  positionOf,
  transactionsAddedBy,
  type VerifiedFlashblock,
} from '../../chain/codec/flashblock.ts'

export type Received = {
  readonly flashblock: Flashblock
  readonly receivedMs: number
  /** Which upstream sent it; 0 where there is only one. */
  readonly upstream?: number
}

export type ResequencerEvent<R extends Received> =
  | { readonly type: 'flashblock'; readonly received: R }
  /** The canonical head: when it is far above the last proven block, headers need no proof any more. */
  | { readonly type: 'canonical'; readonly height: number }
  /** An upstream is not believed any more: what is still believed above this height comes again, from index 0 on. */
  | { readonly type: 'again'; readonly above: number }

export type ResequencerItem<R extends Received> =
  /** First for every flashblock of the feed. `isFirst`: of its index; `isInOrder`: it continues the flashblock received before it. */
  | { readonly type: 'received'; readonly received: R; readonly isFirst: boolean; readonly isInOrder: boolean }
  | PayloadGrowth
  /** For the relay, before the flashblock that does not continue the one released before it. */
  | { readonly type: 'gap'; readonly after: FlashblockPosition; readonly next: FlashblockPosition }
  /** For the relay: the next one in order. */
  | { readonly type: 'released'; readonly received: R }
  /** Not stored, because its upstream has too many of the same index. */
  | { readonly type: 'dropped'; readonly received: R }
  /** Its header does not give the announced hash: it was refused, or taken although nothing proves it. */
  | { readonly type: 'unproven'; readonly received: R; readonly isTaken: boolean }

/** For the pending chain: the verified flashblocks that continue the payload, and whether later ones wait for a missing one. */
export type PayloadGrowth = {
  readonly type: 'payload'
  readonly payloadId: Hex
  readonly height: number
  readonly verified: readonly VerifiedFlashblock[]
  readonly hasGap: boolean
  readonly receivedMs: number
}

export type Resequencer<R extends Received> = {
  /** In the order in which they began. */
  readonly payloads: readonly Payload<R>[]
  readonly lastReceived: FlashblockPosition | undefined
  readonly lastReleased: FlashblockPosition | undefined
  readonly canonicalHeight: number | undefined
  /** The highest block of which a header gave the announced hash. */
  readonly provenHeight: number | undefined
}

type Payload<R> = {
  readonly payloadId: Hex
  readonly height: number
  /** The upstream that began it. */
  readonly upstream: number
  readonly base: FlashblockBase | undefined
  /** Of the verified flashblocks, whose number is the next index. */
  readonly transactions: readonly Uint8Array[]
  readonly nextIndex: number
  readonly isProven: boolean
  /** Candidates by index. Upstreams may contradict each other; the block hash decides which is right. */
  readonly waiting: ReadonlyMap<number, readonly R[]>
  readonly receivedIndexes: ReadonlySet<number>
  /** The flashblock that was chosen for each index. */
  readonly chosen: ReadonlyMap<number, Flashblock>
  /** The first of each index that the relay has not got. */
  readonly unreleased: ReadonlyMap<number, R>
  /** The lowest index that the relay may still get. */
  readonly releaseFrom: number
}

export const EMPTY_RESEQUENCER: Resequencer<never> = Object.freeze({
  payloads: [],
  lastReceived: undefined,
  lastReleased: undefined,
  canonicalHeight: undefined,
  provenHeight: undefined,
})

export type Resequenced<R extends Received> = {
  readonly state: Resequencer<R>
  readonly items: readonly ResequencerItem<R>[]
}

export function resequence<R extends Received>(state: Resequencer<R>, event: ResequencerEvent<R>): Resequenced<R> {
  if (event.type === 'flashblock') return afterFlashblock(state, event.received)
  const { payloads } = state
  const after =
    event.type === 'again'
      ? { ...state, payloads: payloads.filter(({ height }) => height <= event.above) }
      : { ...state, canonicalHeight: event.height }
  return { state: Object.freeze(after), items: [] }
}

function afterFlashblock<R extends Received>(before: Resequencer<R>, received: R): Resequenced<R> {
  const position = positionOf(received.flashblock)
  const { payloadId, index, height } = position
  const isInOrder = index === 0 || !before.lastReceived || continues(before.lastReceived, position)
  const state = { ...before, lastReceived: position }
  // An id that comes with another height is another payload: a wrong height must not keep the right one out.
  const known = state.payloads.find((payload) => payload.payloadId === payloadId && payload.height === height)
  // Another upstream sends the very same: nothing follows from it.
  if (known !== undefined && hasFlashblock(known, received.flashblock)) return { state: before, items: [] }
  const payload = known ?? emptyPayload<R>(received)
  const isFirst = !payload.receivedIndexes.has(index)
  const items: ResequencerItem<R>[] = [{ type: 'received', received, isFirst, isInOrder }]
  const candidates = payload.waiting.get(index) ?? []
  const isIgnored = index < payload.nextIndex || index >= payload.nextIndex + MAX_AHEAD
  if (isIgnored) return { state: Object.freeze(state), items }
  if (candidates.filter(({ upstream = 0 }) => upstream === upstreamOf(received)).length >= MAX_CANDIDATES) {
    return { state: Object.freeze(state), items: [...items, { type: 'dropped', received }] }
  }

  const growth = grown(mustProve(state), {
    ...payload,
    waiting: new Map(payload.waiting).set(index, [...candidates, received]),
    receivedIndexes: new Set(payload.receivedIndexes).add(index),
    unreleased:
      index < payload.releaseFrom || payload.unreleased.has(index)
        ? payload.unreleased
        : new Map(payload.unreleased).set(index, received),
  })
  items.push(...growth.unproven)
  const hasGap = growth.payload.waiting.size > 0
  if (growth.verified.length > 0 || hasGap !== payload.waiting.size > 0) {
    const verified = growth.verified.map(({ verified }) => verified)
    items.push({ type: 'payload', payloadId, height, verified, hasGap, receivedMs: received.receivedMs })
  }
  const others = state.payloads.filter((each) => each !== known)
  const released = growth.verified.flatMap(({ received }) =>
    received.flashblock.index < payload.releaseFrom ? [] : [received],
  )
  const lastReleased = release(
    index === 0 ? [...others.flatMap(({ unreleased }) => inOrder(unreleased)), ...released] : released,
    state.lastReleased,
    items,
  )
  const payloads = state.payloads.map((each) => {
    if (each === known) return growth.payload
    return index === 0 ? givenUp(each) : each
  })
  return {
    state: Object.freeze({
      ...state,
      payloads: known === undefined ? withinBound([...payloads, growth.payload]) : payloads,
      lastReleased,
      provenHeight: growth.payload.isProven ? Math.max(height, state.provenHeight ?? 0) : state.provenHeight,
    }),
    items,
  }
}

function hasFlashblock<R extends Received>({ chosen, waiting }: Payload<R>, flashblock: Flashblock): boolean {
  const { index } = flashblock
  return chosen.get(index) === flashblock || (waiting.get(index) ?? []).some((each) => each.flashblock === flashblock)
}

function upstreamOf({ upstream = 0 }: Received): number {
  return upstream
}

/** The oldest gives way of the upstream that began most. */
function withinBound<R>(payloads: readonly Payload<R>[]): readonly Payload<R>[] {
  if (payloads.length <= MAX_PAYLOADS) return payloads
  const begun = Map.groupBy(payloads, ({ upstream }) => upstream)
  const [oldest] = [...begun.values()].reduce((most, own) => (own.length > most.length ? own : most))
  return payloads.filter((payload) => payload !== oldest)
}

function emptyPayload<R extends Received>(received: R): Payload<R> {
  const { payloadId, height } = received.flashblock
  return {
    payloadId,
    height,
    upstream: upstreamOf(received),
    base: undefined,
    transactions: [],
    nextIndex: 0,
    isProven: false,
    waiting: new Map(),
    receivedIndexes: new Set(),
    chosen: new Map(),
    unreleased: new Map(),
    releaseFrom: 0,
  }
}

type Growth<R> = {
  readonly payload: Payload<R>
  readonly verified: readonly { readonly verified: VerifiedFlashblock; readonly received: R }[]
  readonly unproven: readonly { readonly type: 'unproven'; readonly received: R; readonly isTaken: boolean }[]
}

/** Moves flashblocks from the waiting ones to the verified ones, as long as the next index has a good candidate. */
function grown<R extends Received>(isProofRequired: boolean, start: Payload<R>): Growth<R> {
  const verified: Growth<R>['verified'][number][] = []
  const unproven: Growth<R>['unproven'][number][] = []
  const waiting = new Map(start.waiting)
  const unreleased = new Map(start.unreleased)
  const chosen = new Map(start.chosen)
  let payload = start
  for (let candidates = waiting.get(payload.nextIndex); candidates; candidates = waiting.get(payload.nextIndex)) {
    waiting.delete(payload.nextIndex)
    const next = bestCandidate(isProofRequired || payload.isProven, payload, candidates)
    const isTaken = next !== undefined && !next.verified.isProven
    const wrong = isTaken ? [next.received] : next === undefined ? candidates : []
    unproven.push(...wrong.map((received) => ({ type: 'unproven' as const, received, isTaken })))
    if (next === undefined) break
    verified.push(next)
    chosen.set(payload.nextIndex, next.received.flashblock)
    unreleased.delete(payload.nextIndex)
    payload = {
      ...payload,
      base: payload.base ?? next.received.flashblock.base ?? undefined,
      transactions: next.transactions,
      nextIndex: payload.nextIndex + 1,
      isProven: next.verified.isProven,
      releaseFrom: Math.max(payload.releaseFrom, payload.nextIndex + 1),
    }
  }
  return { payload: Object.freeze({ ...payload, waiting, unreleased, chosen }), verified, unproven }
}

function bestCandidate<R extends Received>(isProofRequired: boolean, payload: Payload<R>, candidates: readonly R[]) {
  const checked = candidates.flatMap((received) => {
    const { flashblock } = received
    const base = payload.base ?? flashblock.base
    if (!base) return []
    const transactions = [...payload.transactions, ...transactionsAddedBy(flashblock).map(({ raw }) => raw)]
    const header = flashblockHeader(base, flashblock.totals, transactionsRoot(transactions))
    return { received, transactions, verified: { ...header, flashblock } }
  })
  const proven = checked.find(({ verified }) => verified.isProven)
  return proven ?? (isProofRequired ? undefined : checked[0])
}

/**
 * Until a header of this chain was once recomputed, one that cannot be may be our own ignorance of a fork, and passes. The same holds when
 * none could be recomputed for many blocks.
 */
function mustProve({ provenHeight, canonicalHeight }: Omit<Resequencer<Received>, 'payloads'>): boolean {
  if (provenHeight === undefined) return false
  return canonicalHeight === undefined || provenHeight > canonicalHeight - PROOF_BLOCKS
}

function inOrder<R>(unreleased: ReadonlyMap<number, R>): readonly R[] {
  return [...unreleased].toSorted(([one], [other]) => one - other).map(([, received]) => received)
}

/** The payload after the relay stopped waiting for what is missing of it. */
function givenUp<R>(payload: Payload<R>): Payload<R> {
  if (payload.unreleased.size === 0) return payload
  const releaseFrom = Math.max(payload.releaseFrom, Math.max(...payload.unreleased.keys()) + 1)
  return Object.freeze({ ...payload, unreleased: new Map(), releaseFrom })
}

/** Adds the released ones to the items, with a gap where one does not continue the one before; gives the position of the last. */
function release<R extends Received>(
  released: readonly R[],
  before: FlashblockPosition | undefined,
  items: ResequencerItem<R>[],
): FlashblockPosition | undefined {
  let last = before
  for (const received of released) {
    const position = positionOf(received.flashblock)
    if (last !== undefined && !continues(last, position)) items.push({ type: 'gap', after: last, next: position })
    items.push({ type: 'released', received })
    last = position
  }
  return last
}

/** How far beyond the first missing index an index may be. */
const MAX_AHEAD = 64
/** Of one upstream. */
const MAX_CANDIDATES = 4
/** Payloads that can still grow; the oldest give way. */
const MAX_PAYLOADS = 128
/** Canonical blocks for which the last proof counts; after so many without one, flashblocks are served unproven. */
const PROOF_BLOCKS = 3
