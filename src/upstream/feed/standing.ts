// Which upstreams are believed. A header that gives the announced hash proves that a flashblock is consistent, not that the sequencer made
// it: whoever can execute transactions can forge one. Only the sealed block decides. As soon as it is there, whoever contradicts an
// upstream that sent all of it is suspected; it is judged two blocks later, so that a slow upstream has had its time. Where upstreams sent different flashblocks for a height, the sequence that comes nearest to the sealed block is the true one, and
// whoever sent another flashblock in the place of one of them, or one that was not sealed, is disproved. What all of them sent is the
// sequencer's own doing and counts against nobody.
//
// An upstream that is suspected or disproved is not followed as long as another one delivers; after a disproof for a time that doubles with
// every further lie. Pure.
import type { Hex } from '../../chain/bytes/hex.ts'
import { type Flashblock, transactionsAddedBy } from '../../chain/codec/flashblock.ts'

export type UpstreamStanding = {
  /** Sealed blocks that disproved it. */
  readonly disproved: number
  /** The last of them; null where there is none. */
  readonly lastHeight: number | null
  /** It is not followed below this height, while another one delivers. */
  readonly distrustedUntil: number
}

export type Standing = {
  readonly upstreams: ReadonlyMap<number, UpstreamStanding>
  /** What each upstream sent for each height. */
  readonly sent: ReadonlyMap<number, ReadonlyMap<number, ReadonlySet<Flashblock>>>
  /** The last sealed blocks, by height. */
  readonly sealed: ReadonlyMap<number, Sealed>
  /** The highest block of which each upstream sent something. */
  readonly delivered: ReadonlyMap<number, number>
  /** Upstreams that are not followed below a height, until they are judged. */
  readonly suspected: ReadonlyMap<number, number>
}

export type Sealed = {
  readonly height: number
  readonly hash: Hex
  /** Their hashes, in order. */
  readonly transactions: readonly Hex[]
}

export const NO_STANDING: Standing = Object.freeze({
  upstreams: new Map(),
  sent: new Map(),
  sealed: new Map(),
  delivered: new Map(),
  suspected: new Map(),
})

const GOOD: UpstreamStanding = { disproved: 0, lastHeight: null, distrustedUntil: -1 }

/** An upstream that is slow has so many blocks' time to send what the others did. */
const JUDGED_BLOCKS_LATER = 2
const FIRST_DISTRUST_BLOCKS = 256
const MOST_DISTRUST_BLOCKS = 65_536
/** Heights above the sealed head that are remembered: forgeries of far heights must not fill the memory. */
const MOST_AHEAD = 8
/** Of one upstream and one height. */
const MOST_FLASHBLOCKS = 256

export function standingAfterFlashblock(
  standing: Standing,
  { flashblock, upstream }: { readonly flashblock: Flashblock; readonly upstream: number },
): Standing {
  const { height } = flashblock
  const head = Math.max(-1, ...standing.sealed.keys())
  if (head !== -1 && (height <= head - JUDGED_BLOCKS_LATER || height > head + MOST_AHEAD)) return standing
  const atHeight = standing.sent.get(height) ?? new Map<number, ReadonlySet<Flashblock>>()
  const own = atHeight.get(upstream) ?? new Set<Flashblock>()
  if (own.size >= MOST_FLASHBLOCKS) return standing
  return withSuspects(height, {
    ...standing,
    sent: new Map(standing.sent).set(height, new Map(atHeight).set(upstream, new Set(own).add(flashblock))),
    delivered: new Map(standing.delivered).set(upstream, Math.max(height, standing.delivered.get(upstream) ?? -1)),
  })
}

export type Disproof = { readonly upstream: number; readonly height: number }

export function standingAfterSealed(
  standing: Standing,
  block: Sealed,
): { readonly standing: Standing; readonly disproofs: readonly Disproof[] } {
  const { height } = block
  const judged = height - JUDGED_BLOCKS_LATER
  const disproofs = disproofsAt(standing, judged)
  const upstreams = new Map(standing.upstreams)
  for (const { upstream } of disproofs) upstreams.set(upstream, worse(upstreams.get(upstream) ?? GOOD, judged, height))
  const isRecent = (each: number): boolean => each > judged
  return {
    disproofs,
    standing: withSuspects(height, {
      ...standing,
      upstreams,
      sealed: new Map(
        [...standing.sealed, [height, block] as const].filter(([each]) => isRecent(each) && each <= height),
      ),
      sent: new Map([...standing.sent].filter(([each]) => isRecent(each) && each <= height + MOST_AHEAD)),
    }),
  }
}

/** Whether its flashblocks count: it is believed, or nobody who is has sent anything above the sealed head. */
export function isFollowed(standing: Standing, upstream: number): boolean {
  const head = Math.max(-1, ...standing.sealed.keys())
  const isRival = (each: number) => each !== upstream && isBelieved(standing, each)
  return isBelieved(standing, upstream) || ![...standing.delivered].some(([each, at]) => isRival(each) && at >= head)
}

/** Whether it is neither suspected nor disproved. */
export function isBelieved({ upstreams, sealed, suspected }: Standing, upstream: number): boolean {
  const head = Math.max(-1, ...sealed.keys())
  return (upstreams.get(upstream)?.distrustedUntil ?? -1) <= head && (suspected.get(upstream) ?? -1) <= head
}

/** Whether an upstream that was followed is not any more: what it sent must not stand. */
export function losesUpstream(before: Standing, after: Standing): boolean {
  return [...after.delivered.keys()].some((each) => isFollowed(before, each) && !isFollowed(after, each))
}

/** The lowest block above the sealed head about which upstreams that are followed contradict each other; null where they agree. */
export function disputedHeight(standing: Standing): number | null {
  const head = Math.max(-1, ...standing.sealed.keys())
  const disputed = [...standing.sent].flatMap(([height, claims]) => {
    const followed = [...claims].filter(([upstream]) => isFollowed(standing, upstream)).map(([, own]) => own)
    return height > head && followed.length > 1 && isContradiction(followed) ? [height] : []
  })
  return disputed.length === 0 ? null : Math.min(...disputed)
}

/** Two versions of one index, or payloads that no single upstream sent all of. */
function isContradiction(claims: readonly ReadonlySet<Flashblock>[]): boolean {
  const all = new Set(claims.flatMap((own) => [...own]))
  const places = new Set([...all].map(({ payloadId, index }) => `${payloadId}/${index}`))
  const payloadsOf = (flashblocks: Iterable<Flashblock>) => new Set([...flashblocks].map(({ payloadId }) => payloadId))
  return places.size < all.size || claims.every((own) => payloadsOf(own).size < payloadsOf(all).size)
}

export function standingOf({ upstreams }: Standing, upstream: number): UpstreamStanding {
  return upstreams.get(upstream) ?? GOOD
}

function disproofsAt({ sent, sealed }: Standing, height: number): Disproof[] {
  const block = sealed.get(height)
  const claims = sent.get(height)
  if (block === undefined || claims === undefined || claims.size < 2) return []
  const truth = trueSequence(claims, block)
  if (truth === undefined) return []
  const positions = new Map(block.transactions.map((hash, index) => [hash, index]))
  const truthful = [...claims.values()].filter((own) => truth.every((flashblock) => own.has(flashblock)))
  const isLie = (flashblock: Flashblock): boolean => {
    const { payloadId, index } = flashblock
    const inPlace = payloadId === truth[0]!.payloadId ? truth[index] : undefined
    if (inPlace !== undefined) return inPlace !== flashblock
    return !isInOrder(flashblock, positions) && truthful.some((own) => !own.has(flashblock))
  }
  return [...claims].flatMap(([upstream, own]) => ([...own].some(isLie) ? [{ upstream, height }] : []))
}

/** A slow upstream looks like a liar that cuts a true block otherwise, so nobody is disproved by this, only left out for a while. */
function withSuspects(height: number, standing: Standing): Standing {
  const block = standing.sealed.get(height)
  const claims = standing.sent.get(height)
  if (block === undefined || claims === undefined || claims.size < 2) return standing
  const whole = new Set(
    [...claims.values()]
      .flatMap((own) => sequencesIn(own, sendersIn(claims)))
      .filter((sequence) => isWhole(sequence, block) && scoreOf(sequence, block) > 0)
      .flat(),
  )
  const truthful = [...claims.values()].filter((own) => [...whole].every((flashblock) => own.has(flashblock)))
  if (whole.size === 0) return standing
  const suspected = new Map(standing.suspected)
  for (const [upstream, own] of claims) {
    const differs = [...own].some((each) => !whole.has(each) && truthful.some((other) => !other.has(each)))
    if (differs) suspected.set(upstream, height + JUDGED_BLOCKS_LATER)
  }
  return { ...standing, suspected }
}

/** Undefined where none fits the sealed block, or where two fit equally well. */
function trueSequence(claims: ReadonlyMap<number, ReadonlySet<Flashblock>>, block: Sealed): Flashblock[] | undefined {
  const scored = [...claims.values()]
    .flatMap((own) => sequencesIn(own, sendersIn(claims)))
    .map((sequence) => ({ sequence, score: scoreOf(sequence, block) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const [best, ...others] = scored
  if (best === undefined) return undefined
  const isRival = others.some(
    ({ sequence, score }) => score === best.score && sequence.some((flashblock, i) => flashblock !== best.sequence[i]),
  )
  return isRival ? undefined : best.sequence
}

function sendersIn(claims: ReadonlyMap<number, ReadonlySet<Flashblock>>): (flashblock: Flashblock) => number {
  return (flashblock) => [...claims.values()].filter((own) => own.has(flashblock)).length
}

/** For every payload the flashblocks from index 0 on; of several versions of an index the one that most upstreams sent. */
function sequencesIn(own: ReadonlySet<Flashblock>, sendersOf: (flashblock: Flashblock) => number): Flashblock[][] {
  return [...Map.groupBy(own, ({ payloadId }) => payloadId).values()].map((flashblocks) => {
    const byIndex = Map.groupBy(flashblocks, ({ index }) => index)
    const sequence: Flashblock[] = []
    for (let versions = byIndex.get(0); versions !== undefined; versions = byIndex.get(sequence.length)) {
      sequence.push(versions.reduce((best, each) => (sendersOf(each) > sendersOf(best) ? each : best)))
    }
    return sequence
  })
}

/** How many sealed transactions it has, in order from the first; 0 where it has another one. The hash of the sealed block is worth most. */
function scoreOf(sequence: readonly Flashblock[], block: Sealed): number {
  const { transactions } = block
  const announced = sequence.flatMap(transactionsAddedBy)
  if (announced.some((each, i) => each.hash !== transactions[i])) return 0
  return announced.length + (isWhole(sequence, block) ? transactions.length + 1 : 0)
}

function isWhole(sequence: readonly Flashblock[], { hash }: Sealed): boolean {
  return sequence.some(({ totals }) => totals.blockHash === hash)
}

/** All its transactions are in the sealed block, one after the other. */
function isInOrder(flashblock: Flashblock, positions: ReadonlyMap<Hex, number>): boolean {
  const transactions = transactionsAddedBy(flashblock)
  const first = transactions[0] && positions.get(transactions[0].hash)
  return transactions.every(({ hash }, i) => positions.get(hash) === (first ?? Number.NaN) + i)
}

function worse({ disproved }: UpstreamStanding, height: number, head: number): UpstreamStanding {
  const blocks = Math.min(FIRST_DISTRUST_BLOCKS * 2 ** disproved, MOST_DISTRUST_BLOCKS)
  return { disproved: disproved + 1, lastHeight: height, distrustedUntil: head + blocks }
}
