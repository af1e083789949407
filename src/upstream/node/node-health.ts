// Whether a URL of the node can be relied on, judged from what it answered and when. Pure. All times are of a clock that never jumps.
import type { Hex } from '../../chain/bytes/hex.ts'

export type NodeHealth = {
  /** When it was first asked. */
  readonly sinceMs: number
  readonly answeredMs: number | null
  /** Why the last question got no answer; null if it got one. */
  readonly failure: string | null
  readonly chainId: number | null
  readonly genesisHash: Hex | null
  /** Why its answers are about another chain than before; null if they are not. */
  readonly otherChain: string | null
  /** The head of its last answer. */
  readonly height: number | null
  readonly highest: number | null
  /** When a higher head than ever before came, and the times between the last of them; at first both by the times in the blocks. */
  readonly movedMs: number | null
  readonly gapsMs: readonly number[]
  /** A head was seen to come, so that `movedMs` is of our own clock. */
  readonly hasMoved: boolean
}

export type NodeAnswer = {
  readonly chainId: number
  readonly genesisHash: Hex | null
  readonly height: number
  /** Times of the last blocks, the head last. They are needed with the first answer only: they say whether its head is an old one. */
  readonly blockTimesMs?: readonly number[]
}

export type HealthLimits = {
  readonly silentMs: number
  /** 0: derived from the gaps between heads, where they are regular. */
  readonly staleMs: number
}

export function startingHealth(nowMs: number): NodeHealth {
  return {
    sinceMs: nowMs,
    answeredMs: null,
    failure: null,
    chainId: null,
    genesisHash: null,
    otherChain: null,
    height: null,
    highest: null,
    movedMs: null,
    gapsMs: [],
    hasMoved: false,
  }
}

export function healthAfterFailure(health: NodeHealth, failure: string): NodeHealth {
  return { ...health, failure }
}

/** The first answer says which chain it is. */
export function healthAfterAnswer(health: NodeHealth, answer: NodeAnswer, nowMs: number): NodeHealth {
  const { genesisHash } = health
  const chainId = health.chainId ?? answer.chainId
  const otherChain = otherChainIn({ chainId, genesisHash }, answer)
  const common = { ...health, answeredMs: nowMs, failure: null, otherChain, height: answer.height }
  if (otherChain !== null) return common
  const known = { ...common, chainId, genesisHash: genesisHash ?? answer.genesisHash }
  if (health.highest === null) return { ...known, highest: answer.height, ...movesBefore(answer, nowMs) }
  if (answer.height <= health.highest) return known
  // A pause in which the node did not answer says nothing of its blocks, nor does a clock that is not ours.
  const isContinuous = health.hasMoved && health.failure === null
  const gapsMs = isContinuous ? [...health.gapsMs, nowMs - health.movedMs!].slice(-GAPS_JUDGED) : health.gapsMs
  return { ...known, highest: answer.height, movedMs: nowMs, gapsMs, hasMoved: true }
}

/** How the head moved before anybody looked. A time in the future is now. */
function movesBefore({ blockTimesMs = [] }: NodeAnswer, nowMs: number): Pick<NodeHealth, 'movedMs' | 'gapsMs'> {
  const gapsMs = blockTimesMs.slice(1).map((timeMs, index) => timeMs - blockTimesMs[index]!)
  return { movedMs: Math.min(nowMs, blockTimesMs.at(-1) ?? nowMs), gapsMs }
}

function otherChainIn(
  known: { readonly chainId: number; readonly genesisHash: Hex | null },
  { chainId, genesisHash }: NodeAnswer,
): string | null {
  if (chainId !== known.chainId) return `it serves chain ${chainId} instead of ${known.chainId}`
  const isOtherGenesis = known.genesisHash !== null && genesisHash !== null && genesisHash !== known.genesisHash
  return isOtherGenesis ? `its first block is ${genesisHash} instead of ${known.genesisHash}` : null
}

/** Undefined while the node can be relied on. */
export function problemOf(health: NodeHealth, limits: HealthLimits, nowMs: number): string | undefined {
  const silentMs = nowMs - (health.answeredMs ?? health.sinceMs)
  if (silentMs > limits.silentMs) {
    return `it has not answered for ${seconds(silentMs)} (${health.failure ?? 'the question is still open'})`
  }
  if (health.otherChain !== null) return health.otherChain
  const staleMs = limits.staleMs > 0 ? limits.staleMs : derivedStaleMs(health.gapsMs)
  const standsMs = nowMs - (health.movedMs ?? nowMs)
  if (staleMs !== undefined && standsMs > staleMs) {
    return `it has had no block above ${health.highest} for ${seconds(standsMs)}, and answers ${health.height}`
  }
  return undefined
}

/** Some times the longest usual gap; undefined where blocks come irregularly, such as on demand. */
function derivedStaleMs(gapsMs: readonly number[]): number | undefined {
  if (gapsMs.length < GAPS_TO_JUDGE) return undefined
  const sorted = [...gapsMs].sort((a, b) => a - b)
  const [median, longest] = [sorted[sorted.length >> 1]!, sorted.at(-1)!]
  if (longest > IRREGULAR * Math.max(median, REGULAR_MS)) return undefined
  return Math.max(SHORTEST_STALE_MS, GAPS_TO_BE_STALE * median)
}

const GAPS_JUDGED = 30
const GAPS_TO_JUDGE = 5
const GAPS_TO_BE_STALE = 4
const IRREGULAR = 3
/** Gaps this short are all the same: the node is asked no more often. */
const REGULAR_MS = 2_000
const SHORTEST_STALE_MS = 8_000

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
