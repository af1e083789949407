// The flashblocks of one payload, which may come in any order, twice, from several upstreams, and wrong. Good is what begins at index 0,
// has no gap, and gives the block hash at every step; the rest waits for what is missing.

import type { Hex } from '../chain/bytes/hex.ts'
import type { Flashblock } from '../chain/codec/flashblock.ts'
import { beginningOf, extended, type PendingBlock, type RulesOf } from './pending-block.ts'

export type Sequence = {
  readonly payloadId: Hex
  readonly height: number
  /** When the last of them came. */
  readonly heardMs: number
  /** The block after each good flashblock: the version at `i` has index `i`. */
  readonly versions: readonly PendingBlock[]
  /** By index. Upstreams may contradict each other, so an index has as many candidates as there are stories about it. */
  readonly waiting: ReadonlyMap<number, readonly Flashblock[]>
}

export type SequenceRules = {
  readonly rulesOf: RulesOf
  /** Until a header of this chain was once recomputed, one that cannot be may be our own ignorance, and passes. */
  readonly mustProve: boolean
}

export function emptySequence({ payloadId, height }: Flashblock): Sequence {
  return {
    payloadId,
    height,
    heardMs: 0,
    versions: [],
    waiting: new Map(),
  }
}

/** The same object where the flashblock is nothing new. */
export function sequenceWith(
  rules: SequenceRules,
  sequence: Sequence,
  { flashblock, receivedMs }: { readonly flashblock: Flashblock; readonly receivedMs: number },
): Sequence {
  const { versions, waiting, height } = sequence
  const candidates = waiting.get(flashblock.index) ?? []
  const isKnown = flashblock.index < versions.length || flashblock.height !== height
  if (isKnown || flashblock.index >= versions.length + MAX_AHEAD || candidates.length >= MAX_CANDIDATES) return sequence
  return advanced(rules, {
    ...sequence,
    heardMs: receivedMs,
    waiting: new Map(waiting).set(flashblock.index, [...candidates, flashblock]),
  })
}

export function hasGap({ waiting }: Sequence): boolean {
  return waiting.size > 0
}

/** Moves what fits from those that wait to the good ones. */
function advanced(rules: SequenceRules, sequence: Sequence): Sequence {
  const versions = [...sequence.versions]
  const waiting = new Map(sequence.waiting)
  for (let candidates = waiting.get(versions.length); candidates; candidates = waiting.get(versions.length)) {
    waiting.delete(versions.length)
    const next = bestVersion(rules, versions.at(-1) ?? null, candidates)
    if (next === null) break
    versions.push(next)
  }
  return Object.freeze({ ...sequence, versions, waiting })
}

function bestVersion(
  { rulesOf, mustProve }: SequenceRules,
  before: PendingBlock | null,
  candidates: readonly Flashblock[],
): PendingBlock | null {
  const blocks = candidates.flatMap((candidate) => {
    if (before !== null) return extended(rulesOf, before, candidate)
    return candidate.base === null ? [] : beginningOf(rulesOf, candidate, candidate.base)
  })
  const proven = blocks.find(({ isProven }) => isProven)
  if (proven !== undefined || mustProve || before?.isProven) return proven ?? null
  return blocks[0] ?? null
}

/** How far beyond the first gap an index may be. */
const MAX_AHEAD = 64
const MAX_CANDIDATES = 4
