// How the record of one transaction changes. Pure: a record and what happened give the next record, or the same object where it is no
// news. Nothing that was true is forgotten: what is superseded moves to `past`.
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

/** Our own RPC may hear of a transaction after the feed did: the answer of the node takes its time. The earlier time counts. */
export function seenAgain(record: TransactionRecord, { seenMs, seenBy }: Sighting): TransactionRecord {
  return seenMs < record.seenMs ? { ...record, seenMs, seenBy } : record
}

export function preconfirmedAs(record: TransactionRecord, promise: Preconfirmation): TransactionRecord {
  if (record.inclusion !== null || isSamePromise(record, promise)) return record
  return {
    ...record,
    preconfirmation: promise,
    droppedMs: null,
    verdict: null,
    changes: [],
    past: pastWith(record, [...pastPromise(record), ...pastDrop(record)]),
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

/** The block of the promise came without it. */
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

/** For one that is dropped and promised again and again; the newest are kept. */
const MOST_PAST = 16

function pastWith({ past }: TransactionRecord, added: readonly PastStage[]): readonly PastStage[] {
  return added.length === 0 ? past : [...past, ...added].slice(-MOST_PAST)
}

function isSamePromise({ preconfirmation, droppedMs }: TransactionRecord, promise: Preconfirmation): boolean {
  return (
    droppedMs === null &&
    preconfirmation?.height === promise.height &&
    preconfirmation.flashblockIndex === promise.flashblockIndex &&
    preconfirmation.position === promise.position
  )
}

function pastPromise({ preconfirmation }: TransactionRecord): readonly PastStage[] {
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
