// What the ledger stores of each transaction, flashblock and block. Plain data that can be sent to another thread, stored and read back.
import type { Hex } from '../bytes/hex.ts'
import type { PreconfirmationFigures } from './figures.ts'

export const SEEN_BY = ['rpc', 'feed', 'block'] as const
export const VERDICTS = ['kept', 'changed', 'dropped', 'unannounced'] as const

/** What became of a preconfirmation; `unannounced` is a transaction that was included without one. */
export type Verdict = (typeof VERDICTS)[number]

export type TransactionRecord = {
  readonly hash: Hex
  /** When this service first saw it, and where: in its own RPC, in the feed, or in the sealed block. */
  readonly seenMs: number
  readonly seenBy: (typeof SEEN_BY)[number]
  /** The last preconfirmation, which the verdict is about. */
  readonly preconfirmation: Preconfirmation | null
  /** Null until a canonical block includes it, and again after a reorg removed that block. */
  readonly inclusion: Inclusion | null
  /** When the canonical block of the preconfirmation arrived without it; null again when it is preconfirmed again or included. */
  readonly droppedMs: number | null
  /** Null until the canonical block at the height of the preconfirmation is known. */
  readonly verdict: Verdict | null
  /** What differs in the sealed block. */
  readonly changes: readonly ChangeType[]
  /** Earlier stages that are no longer true, oldest first. */
  readonly past: readonly PastStage[]
}

export type Preconfirmation = {
  readonly height: number
  readonly flashblockIndex: number
  /** Index in the block. */
  readonly position: number
  readonly atMs: number
}

export type Inclusion = {
  readonly height: number
  readonly blockHash: Hex
  readonly position: number
  readonly atMs: number
}

/** `index` is the index of the flashblock, null if there is none. */
export type PastStage = {
  readonly stage: 'preconfirmed' | 'included' | 'dropped'
  readonly atMs: number
  readonly height: number
  readonly index: number | null
}

export const CHANGE_TYPES = ['moved', 'status', 'gas', 'logs'] as const
export type ChangeType = (typeof CHANGE_TYPES)[number]

/** The numbers are, by type: index in the block, status (0 or 1), gas used, number of logs. */
export type Difference = {
  readonly type: 'dropped' | ChangeType
  readonly transaction: Hex
  /** As preconfirmed. */
  readonly from: number
  /** As included; null if the transaction was dropped. */
  readonly to: number | null
}

export type FlashblockRecord = {
  readonly height: number
  readonly index: number
  /** Counts the payloads of this height from 0. */
  readonly attempt: number
  readonly payloadId: Hex
  /** Hash of the block so far. */
  readonly hash: Hex
  readonly gasUsed: number
  /** Transactions that this flashblock adds. */
  readonly transactionCount: number
  readonly receivedMs: number
}

export type BlockRecord = {
  readonly height: number
  readonly hash: Hex
  /** When this service received it. */
  readonly includedMs: number
  /** Null if there was no flashblock for this block. */
  readonly payloadId: Hex | null
  /** Block hash in the last flashblock. */
  readonly preconfirmedHash: Hex | null
  readonly transactionCount: number
  /** Empty if the sealed block has everything as it was preconfirmed. */
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
