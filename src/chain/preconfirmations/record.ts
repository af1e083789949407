// What is remembered of every preconfirmation: of each transaction, of each flashblock, of each block. Plain data that can be sent,
// stored and read back.
import type { Hex } from '../bytes/hex.ts'
import type { PreconfirmationFigures } from './figures.ts'

export const SEEN_BY = ['rpc', 'feed', 'block'] as const
export const VERDICTS = ['kept', 'changed', 'dropped', 'unannounced'] as const

/** What became of what was promised; `unannounced` was included without a promise. */
export type Verdict = (typeof VERDICTS)[number]

export type TransactionRecord = {
  readonly hash: Hex
  /** When this service first heard of it, and from whom: its own RPC, the feed, or the sealed block. */
  readonly seenMs: number
  readonly seenBy: (typeof SEEN_BY)[number]
  /** The promise that counts: the last one. */
  readonly preconfirmation: Preconfirmation | null
  /** Null as long as no canonical block has it, and again after a reorg that took it out. */
  readonly inclusion: Inclusion | null
  /** When a canonical block came without it though it was to have it; null again as soon as it is promised or included. */
  readonly droppedMs: number | null
  /** Null until the block of the promise is there. */
  readonly verdict: Verdict | null
  /** What the sealed block changed. */
  readonly changes: readonly ChangeType[]
  /** What was true before and is not any more, oldest first. */
  readonly past: readonly PastStage[]
}

export type Preconfirmation = {
  readonly height: number
  readonly flashblockIndex: number
  /** In the block, from 0. */
  readonly position: number
  readonly atMs: number
}

export type Inclusion = {
  readonly height: number
  readonly blockHash: Hex
  readonly position: number
  readonly atMs: number
}

/** `index` is that of the flashblock, null where there is none. */
export type PastStage = {
  readonly stage: 'preconfirmed' | 'included' | 'dropped'
  readonly atMs: number
  readonly height: number
  readonly index: number | null
}

export const CHANGE_TYPES = ['moved', 'status', 'gas', 'logs'] as const
export type ChangeType = (typeof CHANGE_TYPES)[number]

/** Places are counted from 0, a status is 0 or 1, gas is gas, and of logs it is their number that is told. */
export type Difference = {
  readonly type: 'dropped' | ChangeType
  readonly transaction: Hex
  /** As it was promised. */
  readonly from: number
  /** As it came; null for what did not. */
  readonly to: number | null
}

export type FlashblockRecord = {
  readonly height: number
  readonly index: number
  /** Which payload of this height it belongs to, from 0. */
  readonly attempt: number
  readonly payloadId: Hex
  /** Of the block so far. */
  readonly hash: Hex
  readonly gasUsed: number
  /** That it adds. */
  readonly transactionCount: number
  readonly receivedMs: number
}

export type BlockRecord = {
  readonly height: number
  readonly hash: Hex
  /** When this service had it. */
  readonly includedMs: number
  /** Null where the block came without a flashblock. */
  readonly payloadId: Hex | null
  /** Of the last flashblock. */
  readonly preconfirmedHash: Hex | null
  readonly transactionCount: number
  /** Empty: every promise was kept. */
  readonly differences: readonly Difference[]
  readonly figures: PreconfirmationFigures
}

/** When the node's `safe` or `finalized` head passed the heights above `above`, up to `upTo`. */
export type TagAdvance = {
  readonly tag: 'safe' | 'finalized'
  readonly above: number
  readonly upTo: number
  readonly atMs: number
}
