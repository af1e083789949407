// Writes the account of preconfirmations. Every row has a natural key and the figures change by the difference to the row that was
// there, so writing the same thing twice, from a restart or from two processes, counts it once.

import {
  figuresWithout,
  NO_FIGURES,
  type PreconfirmationFigures,
  sumOfFigures,
} from '../../chain/preconfirmations/figures.ts'
import type {
  BlockRecord,
  FlashblockRecord,
  TagAdvance,
  TransactionRecord,
} from '../../chain/preconfirmations/record.ts'
import type { Database, Queries } from '../engine/database.ts'
import { upsertAssignments } from '../schema/table.ts'
import {
  FIGURE_STEPS,
  type FiguresRow,
  flashblockMessages,
  flashblockPosition,
  flashblocks,
  type PreconfirmedBlockRow,
  type PreconfirmedTransactionRow,
  preconfirmationFigures,
  preconfirmedBlocks,
  preconfirmedTransactions,
} from './tables.ts'

export type LedgerBatch = {
  /** Each once, as it is now. */
  readonly transactions: readonly TransactionRecord[]
  readonly flashblocks: readonly { readonly record: FlashblockRecord; readonly message: Uint8Array }[]
  /** In the order in which they came. */
  readonly blocks: readonly BlockRecord[]
  readonly tags: readonly TagAdvance[]
}

export function writePreconfirmations(database: Database, batch: LedgerBatch): Promise<void> {
  return database.transaction(async (queries) => {
    // Figures are read, added up and written back: nobody may come in between.
    if (database.engine === 'postgres') await queries.all('select pg_advisory_xact_lock($1)', [LOCK])
    await writeFlashblocks(queries, batch.flashblocks)
    await writeTransactions(queries, batch.transactions)
    await writeBlocks(queries, batch.blocks)
    for (const advance of batch.tags) await writeTag(queries, advance)
  })
}

/** Any number will do, as long as it stays. */
const LOCK = 7_125_003

async function writeFlashblocks(queries: Queries, added: LedgerBatch['flashblocks']): Promise<void> {
  const rows = added.map(({ record, message }) => ({ ...record, pos: flashblockPosition(record), message }))
  if (rows.length === 0) return
  await queries.insert(
    flashblocks,
    rows.map((row) => flashblocks.encode(row)),
    `(pos) do update set ${upsertAssignments(flashblocks, ['pos'])}`,
  )
  await queries.insert(
    flashblockMessages,
    rows.map(({ pos, message }) => [pos, message]),
    '(pos) do update set message = excluded.message',
  )
}

async function writeTransactions(queries: Queries, records: readonly TransactionRecord[]): Promise<void> {
  if (records.length === 0) return
  await queries.insert(
    preconfirmedTransactions,
    records.map((record) => preconfirmedTransactions.encode(rowOf(record))),
    KEEPING_WHAT_WAS_PROMISED,
  )
}

/** After a restart less may be known than is stored: a promise that was heard is not unheard by a block that comes without one. */
const KEEPING_WHAT_WAS_PROMISED = (() => {
  const table = preconfirmedTransactions.name
  const isUnheard = `excluded.preconfirmed_ms is null and ${table}.preconfirmed_ms is not null`
  const isEarlier = `excluded.seen_ms < ${table}.seen_ms`
  const promise = ['height', 'flashblock_index', 'position', 'preconfirmed_ms', 'past']
  const sight = ['seen_ms', 'seen_by']
  const kept = [
    ...promise.map((name) => `${name} = coalesce(excluded.${name}, ${table}.${name})`),
    ...sight.map((name) => `${name} = case when ${isEarlier} then excluded.${name} else ${table}.${name} end`),
    `verdict = case when ${isUnheard} then ${table}.verdict else excluded.verdict end`,
  ]
  const rest = upsertAssignments(preconfirmedTransactions, ['hash', 'verdict', ...promise, ...sight])
  return `(hash) do update set ${[...kept, rest].join(', ')}`
})()

function rowOf(record: TransactionRecord): PreconfirmedTransactionRow {
  const { hash, seenMs, seenBy, preconfirmation, inclusion, droppedMs, verdict, changes, past } = record
  return {
    hash,
    seenMs,
    seenBy,
    height: preconfirmation?.height ?? null,
    flashblockIndex: preconfirmation?.flashblockIndex ?? null,
    position: preconfirmation?.position ?? null,
    preconfirmedMs: preconfirmation?.atMs ?? null,
    includedHeight: inclusion?.height ?? null,
    includedHash: inclusion?.blockHash ?? null,
    includedPosition: inclusion?.position ?? null,
    includedMs: inclusion?.atMs ?? null,
    droppedMs,
    verdict,
    changes,
    past: past.length === 0 ? null : past,
    changedMs: Math.max(seenMs, preconfirmation?.atMs ?? 0, inclusion?.atMs ?? 0, droppedMs ?? 0),
  }
}

async function writeBlocks(queries: Queries, records: readonly BlockRecord[]): Promise<void> {
  if (records.length === 0) return
  // Of one height only the last counts.
  const byHeight = new Map(records.map((record) => [record.height, record]))
  const before = await queries.lookup(
    preconfirmedBlocks,
    preconfirmedBlocks.select(),
    ['height'],
    [...byHeight.keys()].map((height) => [height]),
  )
  const known = new Map(before.map((row) => [row.height as number, preconfirmedBlocks.decode(row)]))
  const sums = new Map<string, FiguresRow>()
  for (const record of byHeight.values()) {
    const replaced = known.get(record.height)
    // The same block, told again after a restart that heard less of its flashblocks, is no news.
    if (replaced?.hash === record.hash) continue
    if (replaced !== undefined) await change(queries, sums, replaced, (sum) => figuresWithout(sum, replaced.figures))
    await change(queries, sums, record, (sum) => sumOfFigures([sum, record.figures]))
    known.set(record.height, blockRowOf(record))
  }
  const changed = [...byHeight.keys()].map((height) => known.get(height)!)
  await queries.insert(
    preconfirmedBlocks,
    changed.map((row) => preconfirmedBlocks.encode(row)),
    `(height) do update set ${upsertAssignments(preconfirmedBlocks, ['height'])}`,
  )
  await queries.insert(
    preconfirmationFigures,
    [...sums.values()].map((row) => preconfirmationFigures.encode(row)),
    '(step_ms, start_ms) do update set figures = excluded.figures',
  )
}

function blockRowOf(record: BlockRecord): PreconfirmedBlockRow {
  return {
    ...record,
    isBroken: record.differences.length === 0 ? 0 : 1,
    safeMs: null,
    finalizedMs: null,
  }
}

/** The sum of every step that the block falls into. */
async function change(
  queries: Queries,
  sums: Map<string, FiguresRow>,
  { includedMs }: { readonly includedMs: number },
  changed: (sum: PreconfirmationFigures) => PreconfirmationFigures,
): Promise<void> {
  for (const { stepMs } of FIGURE_STEPS) {
    const startMs = Math.floor(includedMs / stepMs) * stepMs
    const key = `${stepMs} ${startMs}`
    const sum = sums.get(key)?.figures ?? (await storedFigures(queries, stepMs, startMs))
    sums.set(key, { stepMs, startMs, figures: changed(sum) })
  }
}

async function storedFigures(queries: Queries, stepMs: number, startMs: number): Promise<PreconfirmationFigures> {
  const [row] = await queries.all(
    `select ${preconfirmationFigures.select()} from preconfirmation_figures where step_ms = $1 and start_ms = $2`,
    [stepMs, startMs],
  )
  return row === undefined ? NO_FIGURES : preconfirmationFigures.decode(row).figures
}

/** By the key of the heights. */
async function writeTag(queries: Queries, { tag, above, upTo, atMs }: TagAdvance): Promise<void> {
  const column = tag === 'safe' ? 'safe_ms' : 'finalized_ms'
  await queries.run(
    `update preconfirmed_blocks set ${column} = $3 where height > $1 and height <= $2 and ${column} is null`,
    [above, upTo, atMs],
  )
}

export type PruneLimits = { readonly keepMs: number; readonly nowMs: number }

/** Forgets what is older than it is kept, so much at a time; gives how many rows went. */
export async function prunePreconfirmations(database: Database, { keepMs, nowMs }: PruneLimits): Promise<number> {
  const oldMs = nowMs - keepMs
  let pruned = 0
  const drop = async (sql: string, values: readonly number[]): Promise<void> => {
    pruned += await database.run(sql, values)
  }
  // Indexes preconfirmed_transactions_changed, flashblocks_received, preconfirmed_blocks_included.
  await drop(
    `delete from preconfirmed_transactions where hash in (select hash from preconfirmed_transactions where changed_ms < $1 order by changed_ms limit ${ROWS_AT_ONCE})`,
    [oldMs],
  )
  await drop(
    `delete from flashblock_messages where pos in (select pos from flashblocks where received_ms < $1 order by received_ms limit ${ROWS_AT_ONCE})`,
    [oldMs],
  )
  await drop(
    `delete from flashblocks where pos in (select pos from flashblocks where received_ms < $1 order by received_ms limit ${ROWS_AT_ONCE})`,
    [oldMs],
  )
  await drop(
    `delete from preconfirmed_blocks where height in (select height from preconfirmed_blocks where is_broken = 0 and included_ms < $1 order by included_ms limit ${ROWS_AT_ONCE})`,
    [oldMs],
  )
  for (const { stepMs, keptMs } of FIGURE_STEPS) {
    await drop('delete from preconfirmation_figures where step_ms = $1 and start_ms < $2', [stepMs, nowMs - keptMs])
  }
  return pruned
}

const ROWS_AT_ONCE = 5_000
/** For a chain that begins anew. */
export function deletePreconfirmations(database: Database): Promise<void> {
  return database.transaction(async (queries) => {
    for (const { name } of [
      flashblocks,
      flashblockMessages,
      preconfirmedTransactions,
      preconfirmedBlocks,
      preconfirmationFigures,
    ]) {
      await queries.run(`delete from ${name}`)
    }
  })
}
