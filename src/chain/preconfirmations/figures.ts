// Figures about how reliable preconfirmations were. They can be summed over blocks and over time. The names are stored in the database.
import { EMPTY_HISTOGRAM, type Histogram, histogramSum, histogramWithout } from '../../lib/numbers/histogram.ts'

export type PreconfirmationFigures = {
  readonly blocks: number
  /** Blocks that changed or dropped a preconfirmed transaction. */
  readonly brokenBlocks: number
  /** Transactions whose position, status, gas and logs are as preconfirmed. */
  readonly kept: number
  /** Transactions that were included at another position or with another result. */
  readonly changed: number
  /** Preconfirmed transactions that the block does not include. */
  readonly dropped: number
  /** Transactions that were included without a preconfirmation. */
  readonly unannounced: number
  readonly flashblocks: number
  /** Flashblocks that never arrived although a later one of the same payload did. */
  readonly missingFlashblocks: number
  /** The longest time without a flashblock. */
  readonly silenceMs: number
  /** Only transactions that were sent through our own RPC. */
  readonly seenToPreconfirmed: Histogram
  readonly seenToIncluded: Histogram
  readonly preconfirmedToIncluded: Histogram
}

export const NO_FIGURES: PreconfirmationFigures = Object.freeze({
  blocks: 0,
  brokenBlocks: 0,
  kept: 0,
  changed: 0,
  dropped: 0,
  unannounced: 0,
  flashblocks: 0,
  missingFlashblocks: 0,
  silenceMs: 0,
  seenToPreconfirmed: EMPTY_HISTOGRAM,
  seenToIncluded: EMPTY_HISTOGRAM,
  preconfirmedToIncluded: EMPTY_HISTOGRAM,
})

export function sumOfFigures(all: readonly PreconfirmationFigures[]): PreconfirmationFigures {
  const sum = (name: CountName): number => all.reduce((total, each) => total + each[name], 0)
  const histogram = (name: LatencyName): Histogram => histogramSum(all.map((each) => each[name]))
  return {
    ...figuresFrom(sum, histogram),
    silenceMs: all.reduce((longest, each) => Math.max(longest, each.silenceMs), 0),
  }
}

/** Subtracts figures that were added before. The longest silence is a maximum, so it cannot be subtracted and stays. */
export function figuresWithout(one: PreconfirmationFigures, other: PreconfirmationFigures): PreconfirmationFigures {
  return {
    ...figuresFrom(
      (name) => one[name] - other[name],
      (name) => histogramWithout(one[name], other[name]),
    ),
    silenceMs: one.silenceMs,
  }
}

export const LATENCY_NAMES = ['seenToPreconfirmed', 'preconfirmedToIncluded', 'seenToIncluded'] as const
export type LatencyName = (typeof LATENCY_NAMES)[number]
type CountName = Exclude<keyof PreconfirmationFigures, LatencyName | 'silenceMs'>

function figuresFrom(
  count: (name: CountName) => number,
  histogram: (name: LatencyName) => Histogram,
): Omit<PreconfirmationFigures, 'silenceMs'> {
  return {
    blocks: count('blocks'),
    brokenBlocks: count('brokenBlocks'),
    kept: count('kept'),
    changed: count('changed'),
    dropped: count('dropped'),
    unannounced: count('unannounced'),
    flashblocks: count('flashblocks'),
    missingFlashblocks: count('missingFlashblocks'),
    seenToPreconfirmed: histogram('seenToPreconfirmed'),
    preconfirmedToIncluded: histogram('preconfirmedToIncluded'),
    seenToIncluded: histogram('seenToIncluded'),
  }
}
