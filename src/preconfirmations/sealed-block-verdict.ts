// Compares one canonical block with the preconfirmations of its height. Pure: records in, records out.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PreconfirmationFigures } from '../chain/preconfirmations/figures.ts'
import type {
  BlockRecord,
  ChangeType,
  Difference,
  TransactionRecord,
  Verdict,
} from '../chain/preconfirmations/record.ts'
import { histogramOf } from '../lib/numbers/histogram.ts'
import { type CanonicalBlock, differencesBetween } from '../pending/compare-with-sealed.ts'
import type { PendingBlock } from '../pending/pending-block.ts'
import { droppedAt, firstSight, includedAs } from './transaction-record.ts'

export type AnnouncedHeight = {
  /** The block as it was last announced; null where it was not. */
  readonly block: PendingBlock | null
  /** Transactions of every payload that was announced at this height. */
  readonly hashes: ReadonlySet<Hex>
  /** What was received from the feed. */
  readonly received: Pick<PreconfirmationFigures, 'flashblocks' | 'missingFlashblocks' | 'silenceMs'>
}

export type SettledBlock = { readonly block: BlockRecord; readonly transactions: readonly TransactionRecord[] }

export function settledBlock(
  announced: AnnouncedHeight,
  records: Pick<ReadonlyMap<Hex, TransactionRecord>, 'get'>,
  { canonical, atMs }: { readonly canonical: CanonicalBlock; readonly atMs: number },
): SettledBlock {
  const height = canonical.header.number
  const found = announced.block === null ? [] : differencesBetween(announced.block, canonical)
  const changes = changesByHash(found)
  const ended = canonical.transactions.map(({ hash }, position): TransactionRecord => {
    const record = records.get(hash) ?? firstSight({ hash, seenMs: atMs, seenBy: 'block' })
    const inclusion = { height, blockHash: canonical.hash, position, atMs }
    return includedAs(record, { inclusion, ...endingOf(record, { height, position, changes }) })
  })
  const included = new Set(canonical.transactions.map(({ hash }) => hash))
  const lost = [...announced.hashes].flatMap((hash): TransactionRecord[] => {
    const record = records.get(hash)
    if (record === undefined || included.has(hash) || record.inclusion !== null) return []
    // It was announced again for a later block, whose comparison decides.
    return record.preconfirmation?.height === height ? [droppedAt(record, atMs)] : []
  })
  const differences = [...found, ...lostWithTheirPayload(found, lost)]
  return {
    block: {
      height,
      hash: canonical.hash,
      includedMs: atMs,
      payloadId: announced.block?.payloadId ?? null,
      preconfirmedHash: announced.block?.hash ?? null,
      transactionCount: canonical.transactions.length,
      differences: differences.slice(0, MOST_DIFFERENCES),
      figures: {
        blocks: 1,
        brokenBlocks: differences.length === 0 ? 0 : 1,
        ...countsOf([...ended, ...lost], height),
        ...announced.received,
        ...latenciesOf(ended),
      },
    },
    transactions: [...ended, ...lost],
  }
}

/** A block that differs everywhere need not be listed position by position. */
const MOST_DIFFERENCES = 1_000

type Inclusion = {
  readonly height: number
  readonly position: number
  readonly changes: ReadonlyMap<Hex, readonly ChangeType[]>
}

function endingOf(
  { hash, preconfirmation, verdict, droppedMs }: TransactionRecord,
  { height, position, changes }: Inclusion,
): { readonly verdict: Verdict; readonly changes: readonly ChangeType[] } {
  if (preconfirmation === null) return { verdict: 'unannounced', changes: [] }
  // It was included after all, but not in the announced block, so the verdict stays. After a reorg the announced block can still come.
  if (droppedMs !== null && preconfirmation.height !== height) return { verdict: verdict ?? 'dropped', changes: [] }
  const isElsewhere = preconfirmation.height !== height || preconfirmation.position !== position
  const changed = changes.get(hash) ?? (isElsewhere ? MOVED : [])
  return { verdict: changed.length === 0 ? 'kept' : 'changed', changes: changed }
}

const MOVED: readonly ChangeType[] = ['moved']

function changesByHash(differences: readonly Difference[]): ReadonlyMap<Hex, readonly ChangeType[]> {
  const changes = new Map<Hex, ChangeType[]>()
  for (const { transaction, type } of differences) {
    if (type !== 'dropped') changes.set(transaction, [...(changes.get(transaction) ?? []), type])
  }
  return changes
}

/** Announced by a payload that another one replaced. */
function lostWithTheirPayload(found: readonly Difference[], lost: readonly TransactionRecord[]): readonly Difference[] {
  const reported = new Set(found.map(({ transaction }) => transaction))
  return lost
    .filter(({ hash }) => !reported.has(hash))
    .map(({ hash, preconfirmation }) => ({
      type: 'dropped',
      transaction: hash,
      from: preconfirmation?.position ?? 0,
      to: null,
    }))
}

function countsOf(ended: readonly TransactionRecord[], height: number): Record<Verdict, number> {
  const counts = { kept: 0, changed: 0, dropped: 0, unannounced: 0 }
  for (const { verdict, inclusion, preconfirmation } of ended) {
    // One that was dropped before was counted then; in this block it is unannounced.
    const isLate = inclusion !== null && verdict === 'dropped' && preconfirmation?.height !== height
    if (verdict !== null) counts[isLate ? 'unannounced' : verdict]++
  }
  return counts
}

function latenciesOf(
  ended: readonly TransactionRecord[],
): Pick<PreconfirmationFigures, 'seenToPreconfirmed' | 'seenToIncluded' | 'preconfirmedToIncluded'> {
  const ours = ended.filter(({ seenBy }) => seenBy === 'rpc')
  const announced = (some: readonly TransactionRecord[]) =>
    some.filter(({ preconfirmation, verdict }) => preconfirmation !== null && verdict !== 'dropped')
  return {
    seenToPreconfirmed: histogramOf(
      announced(ours).map(({ seenMs, preconfirmation }) => preconfirmation!.atMs - seenMs),
    ),
    seenToIncluded: histogramOf(ours.map(({ seenMs, inclusion }) => inclusion!.atMs - seenMs)),
    preconfirmedToIncluded: histogramOf(
      announced(ended).map(({ preconfirmation, inclusion }) => inclusion!.atMs - preconfirmation!.atMs),
    ),
  }
}
