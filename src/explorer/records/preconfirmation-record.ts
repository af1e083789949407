// Preconfirmations on the wire.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PreconfirmationFigures } from '../../chain/preconfirmations/figures.ts'
import type { BlockRecord, FlashblockRecord, TransactionRecord } from '../../chain/preconfirmations/record.ts'
import { quantileOf } from '../../lib/numbers/histogram.ts'
import { firstSight, stageOf, type TagHeights } from '../../preconfirmations/transaction-record.ts'

/** A missing value is the empty string (docs/spec-gaps.md#12). */
function textOrEmpty(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}

export function qualityRecord(window: string, figures: PreconfirmationFigures) {
  const { seenToPreconfirmed, preconfirmedToIncluded, seenToIncluded } = figures
  return {
    window,
    blockCount: String(figures.blocks),
    brokenBlockCount: String(figures.brokenBlocks),
    kept: String(figures.kept),
    changed: String(figures.changed),
    dropped: String(figures.dropped),
    unannounced: String(figures.unannounced),
    keptPercent: percentOf(figures.kept, figures.kept + figures.changed + figures.dropped),
    seenToPreconfirmedP50Ms: textOrEmpty(quantileOf(seenToPreconfirmed, 0.5)),
    seenToPreconfirmedP95Ms: textOrEmpty(quantileOf(seenToPreconfirmed, 0.95)),
    seenToPreconfirmedP99Ms: textOrEmpty(quantileOf(seenToPreconfirmed, 0.99)),
    preconfirmedToIncludedP50Ms: textOrEmpty(quantileOf(preconfirmedToIncluded, 0.5)),
    preconfirmedToIncludedP95Ms: textOrEmpty(quantileOf(preconfirmedToIncluded, 0.95)),
    preconfirmedToIncludedP99Ms: textOrEmpty(quantileOf(preconfirmedToIncluded, 0.99)),
    seenToIncludedP50Ms: textOrEmpty(quantileOf(seenToIncluded, 0.5)),
    seenToIncludedP95Ms: textOrEmpty(quantileOf(seenToIncluded, 0.95)),
    seenToIncludedP99Ms: textOrEmpty(quantileOf(seenToIncluded, 0.99)),
    longestSilenceMs: String(figures.silenceMs),
    flashblocksReceived: String(figures.flashblocks),
    flashblocksMissing: String(figures.missingFlashblocks),
  }
}

/** Rounded down, so that 100 means all of them. */
function percentOf(part: number, whole: number): string {
  return whole === 0 ? '' : String(Math.floor((part * 1_000_000) / whole) / 10_000)
}

export type StageTimes = {
  readonly stage: string
  readonly safeMs: number | null
  readonly finalizedMs: number | null
}

export function transactionLedgerRecord(record: TransactionRecord, { stage, safeMs, finalizedMs }: StageTimes) {
  const { preconfirmation, inclusion } = record
  return {
    txId: record.hash,
    stage,
    verdict: record.verdict ?? '',
    changes: [...record.changes],
    seenTime: textOrEmpty(record.seenMs),
    seenBy: record.seenBy as string,
    preconfirmedTime: textOrEmpty(preconfirmation?.atMs),
    preconfirmedHeight: textOrEmpty(preconfirmation?.height),
    flashblockIndex: textOrEmpty(preconfirmation?.flashblockIndex),
    preconfirmedPosition: textOrEmpty(preconfirmation?.position),
    includedTime: textOrEmpty(inclusion?.atMs),
    includedHeight: textOrEmpty(inclusion?.height),
    includedBlockHash: inclusion?.blockHash ?? '',
    includedPosition: textOrEmpty(inclusion?.position),
    safeTime: textOrEmpty(safeMs),
    finalizedTime: textOrEmpty(finalizedMs),
    droppedTime: textOrEmpty(record.droppedMs),
    past: record.past.map(({ stage, atMs, height, index }) => ({
      stage: stage as string,
      time: String(atMs),
      height: String(height),
      flashblockIndex: textOrEmpty(index),
    })),
  }
}

type IndexedTransaction = Omit<StageTimes, 'stage'> & {
  readonly hash: Hex
  /** The index has the block first; the ledger is about to compare the preconfirmation with it. */
  readonly isBeingCompared: boolean
  readonly location: { readonly height: number; readonly hash: Hex; readonly position: number }
  readonly heads: TagHeights
}

/** The index has it and the ledger does not know of its inclusion, so the time of inclusion is unknown. */
export function includedRecord(
  record: TransactionRecord | undefined,
  { hash, location, heads, isBeingCompared, ...times }: IndexedTransaction,
) {
  const known = record ?? firstSight({ hash, seenMs: 0, seenBy: 'block' })
  const inclusion = { height: location.height, blockHash: location.hash, position: location.position, atMs: 0 }
  const included = { ...known, inclusion, droppedMs: null }
  return {
    ...transactionLedgerRecord(included, { stage: stageOf(included, heads), ...times }),
    includedTime: '',
    ...(isBeingCompared && { verdict: 'comparing' }),
    ...(record === undefined && { seenTime: '', seenBy: '' }),
  }
}

export function flashblockRecord(flashblock: FlashblockRecord) {
  return {
    height: String(flashblock.height),
    flashblockIndex: String(flashblock.index),
    payloadId: flashblock.payloadId as string,
    attempt: String(flashblock.attempt),
    hash: flashblock.hash as string,
    receivedTime: String(flashblock.receivedMs),
    gasUsed: String(flashblock.gasUsed),
    txnCount: String(flashblock.transactionCount),
  }
}

type TimedBlock = BlockRecord & Omit<StageTimes, 'stage'>

/** Without a block the ledger knows of no canonical block at this height. */
export function blockLedgerRecord(
  height: number,
  block: TimedBlock | undefined,
  flashblocks: readonly FlashblockRecord[],
) {
  const last = flashblocks.at(-1)
  return {
    height: String(height),
    blockHash: block?.hash ?? '',
    preconfirmedHash: (block ? block.preconfirmedHash : last?.hash) ?? '',
    payloadId: (block ? block.payloadId : last?.payloadId) ?? '',
    verdict: verdictOf(block),
    txnCount: textOrEmpty(block?.transactionCount),
    kept: textOrEmpty(block?.figures.kept),
    changed: textOrEmpty(block?.figures.changed),
    dropped: textOrEmpty(block?.figures.dropped),
    unannounced: textOrEmpty(block?.figures.unannounced),
    includedTime: textOrEmpty(block?.includedMs),
    safeTime: textOrEmpty(block?.safeMs),
    finalizedTime: textOrEmpty(block?.finalizedMs),
    differences: (block?.differences ?? []).map(({ transaction, type, from, to }) => ({
      txId: transaction as string,
      type: type as string,
      from: String(from),
      to: textOrEmpty(to),
    })),
    flashblocks: flashblocks.map(flashblockRecord),
  }
}

function verdictOf(block: BlockRecord | undefined): string {
  if (!block) return 'pending'
  if (block.differences.length > 0) return 'broken'
  return block.preconfirmedHash === null ? 'unannounced' : 'kept'
}
