// Writes the preconfirmation ledger. Every row has a natural key, and the figures change by the difference to the stored row. So a record
// that is written twice, after a restart or by two processes, is counted once.
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
  /** Each transaction once, in its current state. */
  readonly transactions: readonly TransactionRecord[]
  readonly flashblocks: readonly { readonly record: FlashblockRecord; readonly message: Uint8Array }[]
  /** In the order in which they came. */
  readonly blocks: readonly BlockRecord[]
  readonly tags: readonly TagAdvance[]
}

export function writePreconfirmations(database: Database, batch: LedgerBatch): Promise<void> {
  return database.transaction(async (queries) => {
    // Figures are read, changed and written back, so no other process may write between.
    if (database.engine === 'postgres') await queries.all('select pg_advisory_xact_lock($1)', [LOCK])
    await writeFlashblocks(queries, batch.flashblocks)
    await writeTransactions(queries, batch.transactions)
    await writeBlocks(queries, batch.blocks)
    for (const advance of batch.tags) await writeTag(queries, advance)
  })
}

/** An arbitrary number; it must never change, because processes of different versions share the lock. */
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
    PRESERVE_STORED_PRECONFIRMATION,
  )
}

/** After a restart the ledger may know less than is stored, so a record without a preconfirmation must not delete a stored one. */
const PRESERVE_STORED_PRECONFIRMATION = preserveStoredPreconfirmation()

function preserveStoredPreconfirmation(): string {
  const table = preconfirmedTransactions.name
  const lacksPreconfirmation = `excluded.preconfirmed_ms is null and ${table}.preconfirmed_ms is not null`
  const isEarlier = `excluded.seen_ms < ${table}.seen_ms`
  const preconfirmation = ['height', 'flashblock_index', 'position', 'preconfirmed_ms', 'past']
  const sight = ['seen_ms', 'seen_by']
  const preserved = [
    ...preconfirmation.map((name) => `${name} = coalesce(excluded.${name}, ${table}.${name})`),
    ...sight.map((name) => `${name} = case when ${isEarlier} then excluded.${name} else ${table}.${name} end`),
    `verdict = case when ${lacksPreconfirmation} then ${table}.verdict else excluded.verdict end`,
  ]
  const rest = upsertAssignments(preconfirmedTransactions, ['hash', 'verdict', ...preconfirmation, ...sight])
  return `(hash) do update set ${[...preserved, rest].join(', ')}`
}

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
  // When a height occurs several times, the last record is written.
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
    // After a restart the same block comes again with fewer of its flashblocks; the stored record is the better one.
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

/** Changes the sum of every step that the block belongs to. */
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

/** By the primary key. */
async function storedFigures(queries: Queries, stepMs: number, startMs: number): Promise<PreconfirmationFigures> {
  const [row] = await queries.all(
    `select ${preconfirmationFigures.select()}
    from preconfirmation_figures
    where step_ms = $1 and start_ms = $2`,
    [stepMs, startMs],
  )
  return row === undefined ? NO_FIGURES : preconfirmationFigures.decode(row).figures
}

/** By the primary key. */
async function writeTag(queries: Queries, { tag, above, upTo, atMs }: TagAdvance): Promise<void> {
  const column = tag === 'safe' ? 'safe_ms' : 'finalized_ms'
  await queries.run(
    `update preconfirmed_blocks
    set ${column} = $3
    where height > $1 and height <= $2 and ${column} is null`,
    [above, upTo, atMs],
  )
}

export type PruneLimits = { readonly retentionMs: number; readonly nowMs: number }

/** Deletes rows that are older than their retention, a limited number at each call; returns how many rows it deleted. */
export async function prunePreconfirmations(database: Database, { retentionMs, nowMs }: PruneLimits): Promise<number> {
  const oldMs = nowMs - retentionMs
  let pruned = 0
  const drop = async (sql: string, values: readonly number[]): Promise<void> => {
    pruned += await database.run(sql, values)
  }
  // Indexes preconfirmed_transactions_changed, flashblocks_received, preconfirmed_blocks_included.
  await drop(
    `delete from preconfirmed_transactions
    where hash in (
      select hash
      from preconfirmed_transactions
      where changed_ms < $1
      order by changed_ms
      limit ${ROWS_PER_PRUNE}
    )`,
    [oldMs],
  )
  await drop(
    `delete from flashblock_messages
    where pos in (
      select pos
      from flashblocks
      where received_ms < $1
      order by received_ms
      limit ${ROWS_PER_PRUNE}
    )`,
    [oldMs],
  )
  await drop(
    `delete from flashblocks
    where pos in (
      select pos
      from flashblocks
      where received_ms < $1
      order by received_ms
      limit ${ROWS_PER_PRUNE}
    )`,
    [oldMs],
  )
  await drop(
    `delete from preconfirmed_blocks
    where height in (
      select height
      from preconfirmed_blocks
      where is_broken = 0 and included_ms < $1
      order by included_ms
      limit ${ROWS_PER_PRUNE}
    )`,
    [oldMs],
  )
  for (const { stepMs, retentionMs } of FIGURE_STEPS) {
    await drop(
      `delete from preconfirmation_figures
      where step_ms = $1 and start_ms < $2`,
      [stepMs, nowMs - retentionMs],
    )
  }
  return pruned
}

const ROWS_PER_PRUNE = 5_000

/** For a chain that starts again from its first block. */
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
