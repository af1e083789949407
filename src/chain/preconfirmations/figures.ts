// How well preconfirmations were kept, in figures that can be added up over blocks and over time.
import { EMPTY_HISTOGRAM, type Histogram, histogramSum, histogramWithout } from '../../lib/numbers/histogram.ts'

export type PreconfirmationFigures = {
  readonly blocks: number
  /** Blocks that broke a promise. */
  readonly brokenBlocks: number
  /** Transactions whose place, status, gas and logs were as promised. */
  readonly kept: number
  /** Transactions that came, but elsewhere or with another outcome. */
  readonly changed: number
  /** Transactions that did not come. */
  readonly dropped: number
  /** Transactions that came without having been promised. */
  readonly unannounced: number
  readonly flashblocks: number
  /** Indexes below one that was received that never came. */
  readonly missingFlashblocks: number
  /** Longest time without a flashblock. */
  readonly silenceMs: number
  /** Of transactions that came through our own RPC. */
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

/** What is left when one that was added is taken away. A silence cannot be taken back: it was. */
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
