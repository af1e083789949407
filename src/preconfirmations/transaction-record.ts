// How the record of one transaction changes. Pure: a record and an event give the next record, or the same object where nothing changes.
// A superseded stage moves to `past`.
import type {
  ChangeType,
  Inclusion,
  PastStage,
  Preconfirmation,
  TransactionRecord,
  Verdict,
} from '../chain/preconfirmations/record.ts'

export type Sighting = Pick<TransactionRecord, 'hash' | 'seenMs' | 'seenBy'>

export type Stage = 'seen' | 'preconfirmed' | 'included' | 'safe' | 'finalized' | 'dropped'

export function firstSight(sighting: Sighting): TransactionRecord {
  return {
    ...sighting,
    preconfirmation: null,
    inclusion: null,
    droppedMs: null,
    verdict: null,
    changes: [],
    past: [],
  }
}

/** Our own RPC may report a transaction after the feed did, since the node's answer takes time. The earlier time counts. */
export function seenAgain(record: TransactionRecord, { seenMs, seenBy }: Sighting): TransactionRecord {
  return seenMs < record.seenMs ? { ...record, seenMs, seenBy } : record
}

export function preconfirmedAs(record: TransactionRecord, preconfirmation: Preconfirmation): TransactionRecord {
  if (record.inclusion !== null || isSamePreconfirmation(record, preconfirmation)) return record
  return {
    ...record,
    preconfirmation,
    droppedMs: null,
    verdict: null,
    changes: [],
    past: pastWith(record, [...pastPreconfirmation(record), ...pastDrop(record)]),
  }
}

export type Ending = {
  readonly inclusion: Inclusion
  readonly verdict: Verdict
  readonly changes: readonly ChangeType[]
}

export function includedAs(record: TransactionRecord, { inclusion, verdict, changes }: Ending): TransactionRecord {
  if (record.inclusion?.blockHash === inclusion.blockHash) return record
  const past = pastWith(record, [...pastInclusion(record), ...pastDrop(record)])
  return { ...record, inclusion, verdict, changes, droppedMs: null, past }
}

/** The block that it was announced for is canonical without it. */
export function droppedAt(record: TransactionRecord, atMs: number): TransactionRecord {
  return record.inclusion === null && record.droppedMs === null
    ? { ...record, droppedMs: atMs, verdict: 'dropped' }
    : record
}

/** A reorg took its block out of the chain. */
export function takenBackAt(record: TransactionRecord, atMs: number): TransactionRecord {
  if (record.inclusion === null) return record
  const past = pastWith(record, pastInclusion(record))
  const verdict = record.preconfirmation === null ? null : 'dropped'
  return { ...record, inclusion: null, droppedMs: atMs, verdict, changes: [], past }
}

export type TagHeights = { readonly safe: number | null; readonly finalized: number | null }

export function stageOf({ preconfirmation, inclusion, droppedMs }: TransactionRecord, tags: TagHeights): Stage {
  if (inclusion !== null) {
    if (inclusion.height <= (tags.finalized ?? -1)) return 'finalized'
    return inclusion.height <= (tags.safe ?? -1) ? 'safe' : 'included'
  }
  if (droppedMs !== null) return 'dropped'
  return preconfirmation === null ? 'seen' : 'preconfirmed'
}

/** The height that its last stage names; null where it was only seen. */
export function heightOf({ preconfirmation, inclusion }: TransactionRecord): number | null {
  return inclusion?.height ?? preconfirmation?.height ?? null
}

/** For a transaction that is dropped and announced many times; the newest stages stay. */
const MOST_PAST = 16

function pastWith({ past }: TransactionRecord, added: readonly PastStage[]): readonly PastStage[] {
  return added.length === 0 ? past : [...past, ...added].slice(-MOST_PAST)
}

function isSamePreconfirmation({ preconfirmation, droppedMs }: TransactionRecord, other: Preconfirmation): boolean {
  return (
    droppedMs === null &&
    preconfirmation?.height === other.height &&
    preconfirmation.flashblockIndex === other.flashblockIndex &&
    preconfirmation.position === other.position
  )
}

function pastPreconfirmation({ preconfirmation }: TransactionRecord): readonly PastStage[] {
  if (preconfirmation === null) return []
  const { height, flashblockIndex, atMs } = preconfirmation
  return [{ stage: 'preconfirmed', atMs, height, index: flashblockIndex }]
}

function pastInclusion({ inclusion }: TransactionRecord): readonly PastStage[] {
  return inclusion === null ? [] : [{ stage: 'included', atMs: inclusion.atMs, height: inclusion.height, index: null }]
}

function pastDrop(record: TransactionRecord): readonly PastStage[] {
  const { droppedMs, preconfirmation } = record
  if (droppedMs === null) return []
  return [{ stage: 'dropped', atMs: droppedMs, height: preconfirmation?.height ?? lastHeight(record), index: null }]
}

function lastHeight({ past }: TransactionRecord): number {
  return past.at(-1)?.height ?? 0
}
