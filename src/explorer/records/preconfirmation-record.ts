// Preconfirmations on the wire.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PreconfirmationFigures } from '../../chain/preconfirmations/figures.ts'
import type { BlockRecord, FlashblockRecord, TransactionRecord } from '../../chain/preconfirmations/record.ts'
import { quantileOf } from '../../lib/numbers/histogram.ts'
import { firstSight, stageOf, type TagHeights } from '../../preconfirmations/transaction-record.ts'

/** What is missing is the empty string (docs/spec-gaps.md#12). */
function told(value: number | null | undefined): string {
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
    seenToPreconfirmedP50Ms: told(quantileOf(seenToPreconfirmed, 0.5)),
    seenToPreconfirmedP95Ms: told(quantileOf(seenToPreconfirmed, 0.95)),
    seenToPreconfirmedP99Ms: told(quantileOf(seenToPreconfirmed, 0.99)),
    preconfirmedToIncludedP50Ms: told(quantileOf(preconfirmedToIncluded, 0.5)),
    preconfirmedToIncludedP95Ms: told(quantileOf(preconfirmedToIncluded, 0.95)),
    preconfirmedToIncludedP99Ms: told(quantileOf(preconfirmedToIncluded, 0.99)),
    seenToIncludedP50Ms: told(quantileOf(seenToIncluded, 0.5)),
    seenToIncludedP95Ms: told(quantileOf(seenToIncluded, 0.95)),
    seenToIncludedP99Ms: told(quantileOf(seenToIncluded, 0.99)),
    longestSilenceMs: String(figures.silenceMs),
    flashblocksReceived: String(figures.flashblocks),
    flashblocksMissing: String(figures.missingFlashblocks),
  }
}

/** Rounded down: all but one in a million is not all. */
function percentOf(part: number, whole: number): string {
  return whole === 0 ? '' : String(Math.floor((part * 1_000_000) / whole) / 10_000)
}

export type StageTimes = {
  readonly stage: string
  readonly safeMs: number | null
  readonly finalizedMs: number | null
}

export function transactionAccountRecord(record: TransactionRecord, { stage, safeMs, finalizedMs }: StageTimes) {
  const { preconfirmation, inclusion } = record
  return {
    txId: record.hash,
    stage,
    verdict: record.verdict ?? '',
    changes: [...record.changes],
    seenTime: told(record.seenMs),
    seenBy: record.seenBy as string,
    preconfirmedTime: told(preconfirmation?.atMs),
    preconfirmedHeight: told(preconfirmation?.height),
    flashblockIndex: told(preconfirmation?.flashblockIndex),
    preconfirmedPosition: told(preconfirmation?.position),
    includedTime: told(inclusion?.atMs),
    includedHeight: told(inclusion?.height),
    includedBlockHash: inclusion?.blockHash ?? '',
    includedPosition: told(inclusion?.position),
    safeTime: told(safeMs),
    finalizedTime: told(finalizedMs),
    droppedTime: told(record.droppedMs),
    past: record.past.map(({ stage, atMs, height, index }) => ({
      stage: stage as string,
      time: String(atMs),
      height: String(height),
      flashblockIndex: told(index),
    })),
  }
}

type IndexedTransaction = Omit<StageTimes, 'stage'> & {
  readonly hash: Hex
  /** The index was faster: what was promised is about to be compared with the block. */
  readonly isBeingCompared: boolean
  readonly place: { readonly height: number; readonly hash: Hex; readonly position: number }
  readonly heads: TagHeights
}

/** In the index, while the account does not know of its inclusion: when it came is not known. */
export function includedRecord(
  record: TransactionRecord | undefined,
  { hash, place, heads, isBeingCompared, ...times }: IndexedTransaction,
) {
  const known = record ?? firstSight({ hash, seenMs: 0, seenBy: 'block' })
  const inclusion = { height: place.height, blockHash: place.hash, position: place.position, atMs: 0 }
  const included = { ...known, inclusion, droppedMs: null }
  return {
    ...transactionAccountRecord(included, { stage: stageOf(included, heads), ...times }),
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

/** Without a block nothing is canonical at this height yet, as far as the account knows. */
export function blockAccountRecord(
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
    txnCount: told(block?.transactionCount),
    kept: told(block?.figures.kept),
    changed: told(block?.figures.changed),
    dropped: told(block?.figures.dropped),
    unannounced: told(block?.figures.unannounced),
    includedTime: told(block?.includedMs),
    safeTime: told(block?.safeMs),
    finalizedTime: told(block?.finalizedMs),
    differences: (block?.differences ?? []).map(({ transaction, type, from, to }) => ({
      txId: transaction as string,
      type: type as string,
      from: String(from),
      to: told(to),
    })),
    flashblocks: flashblocks.map(flashblockRecord),
  }
}

function verdictOf(block: BlockRecord | undefined): string {
  if (!block) return 'pending'
  if (block.differences.length > 0) return 'broken'
  return block.preconfirmedHash === null ? 'unannounced' : 'kept'
}
