// The tables of the preconfirmation ledger, column by column; the migration creates the same columns.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PreconfirmationFigures } from '../../chain/preconfirmations/figures.ts'
import {
  CHANGE_TYPES,
  type ChangeType,
  type Difference,
  type FlashblockRecord,
  type PastStage,
  SEEN_BY,
  type TransactionRecord,
  VERDICTS,
  type Verdict,
} from '../../chain/preconfirmations/record.ts'
import { INDEXES_A_BLOCK } from '../schema/position.ts'
import { bytes, type Column, createTable, integer, literal, nullable, oneOf } from '../schema/table.ts'

function json<T>(): Column<T> {
  return {
    type: 'text',
    encode: (value) => JSON.stringify(value),
    decode: (stored) => JSON.parse(stored as string) as T,
  }
}

/** Several words of a short list, one bit for each. The list may grow only at its end. */
function someOf<T>(words: readonly T[]): Column<readonly T[]> {
  return {
    type: 'int',
    encode: (values) => values.reduce((bits, value) => bits | (1 << words.indexOf(value)), 0),
    decode: (stored) => words.filter((_, bit) => ((stored as number) >> bit) & 1),
  }
}

export type FlashblockRow = Pick<
  FlashblockRecord,
  'payloadId' | 'hash' | 'gasUsed' | 'transactionCount' | 'receivedMs'
> & { readonly pos: number }

export const flashblocks = createTable<FlashblockRow>('flashblocks', {
  pos: integer,
  payloadId: bytes,
  hash: bytes,
  gasUsed: integer,
  transactionCount: integer,
  receivedMs: integer,
})

export type FlashblockMessageRow = { readonly pos: number; readonly message: Hex }

export const flashblockMessages = createTable<FlashblockMessageRow>('flashblock_messages', {
  pos: integer,
  message: bytes,
})

const INDEXES_A_PAYLOAD = 2 ** 10

export function flashblockPosition({ height, attempt, index }: Omit<FlashblockLocation, 'pos'>): number {
  return height * INDEXES_A_BLOCK + attempt * INDEXES_A_PAYLOAD + index
}

type FlashblockLocation = { readonly height: number; readonly attempt: number; readonly index: number }

export function flashblockLocation(pos: number): FlashblockLocation {
  const inBlock = pos % INDEXES_A_BLOCK
  return {
    height: Math.floor(pos / INDEXES_A_BLOCK),
    attempt: Math.floor(inBlock / INDEXES_A_PAYLOAD),
    index: inBlock % INDEXES_A_PAYLOAD,
  }
}

export type PreconfirmedTransactionRow = {
  readonly hash: Hex
  readonly seenMs: number
  readonly seenBy: TransactionRecord['seenBy']
  readonly height: number | null
  readonly flashblockIndex: number | null
  readonly position: number | null
  readonly preconfirmedMs: number | null
  readonly includedHeight: number | null
  readonly includedHash: Hex | null
  readonly includedPosition: number | null
  readonly includedMs: number | null
  readonly droppedMs: number | null
  readonly verdict: Verdict | null
  readonly changes: readonly ChangeType[]
  readonly past: readonly PastStage[] | null
  readonly changedMs: number
}

export const preconfirmedTransactions = createTable<PreconfirmedTransactionRow>('preconfirmed_transactions', {
  hash: bytes,
  seenMs: integer,
  seenBy: oneOf(SEEN_BY),
  height: nullable(integer),
  flashblockIndex: nullable(integer),
  position: nullable(integer),
  preconfirmedMs: nullable(integer),
  includedHeight: nullable(integer),
  includedHash: nullable(bytes),
  includedPosition: nullable(integer),
  includedMs: nullable(integer),
  droppedMs: nullable(integer),
  verdict: nullable(oneOf(VERDICTS)),
  changes: someOf(CHANGE_TYPES),
  past: nullable(json<readonly PastStage[]>()),
  changedMs: integer,
})

/** Rows with `isBroken` are never pruned. */
export type PreconfirmedBlockRow = {
  readonly height: number
  readonly hash: Hex
  readonly includedMs: number
  readonly payloadId: Hex | null
  readonly preconfirmedHash: Hex | null
  readonly transactionCount: number
  readonly isBroken: 0 | 1
  readonly differences: readonly Difference[]
  readonly figures: PreconfirmationFigures
  readonly safeMs: number | null
  readonly finalizedMs: number | null
}

export const preconfirmedBlocks = createTable<PreconfirmedBlockRow>('preconfirmed_blocks', {
  height: integer,
  hash: bytes,
  includedMs: integer,
  payloadId: nullable(bytes),
  preconfirmedHash: nullable(bytes),
  transactionCount: integer,
  isBroken: literal<0 | 1>(),
  differences: json<readonly Difference[]>(),
  figures: json<PreconfirmationFigures>(),
  safeMs: nullable(integer),
  finalizedMs: nullable(integer),
})

export type FiguresRow = { readonly stepMs: number; readonly startMs: number; readonly figures: PreconfirmationFigures }

export const preconfirmationFigures = createTable<FiguresRow>('preconfirmation_figures', {
  stepMs: integer,
  startMs: integer,
  figures: json<PreconfirmationFigures>(),
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Each window that can be queried has about a hundred steps. A step is stored a little longer than its window. */
export const FIGURE_STEPS = [
  { window: '1h', windowMs: HOUR_MS, stepMs: MINUTE_MS, retentionMs: 2 * HOUR_MS },
  { window: '24h', windowMs: 24 * HOUR_MS, stepMs: 10 * MINUTE_MS, retentionMs: 25 * HOUR_MS },
  { window: '30d', windowMs: 30 * 24 * HOUR_MS, stepMs: 6 * HOUR_MS, retentionMs: 31 * 24 * HOUR_MS },
] as const
