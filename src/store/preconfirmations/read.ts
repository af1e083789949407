// Reads the ledger: preconfirmation records, blocks that differ from their flashblocks, and figures of windows.
import type { Hex } from '../../chain/bytes/hex.ts'
import { type PreconfirmationFigures, sumOfFigures } from '../../chain/preconfirmations/figures.ts'
import type { TransactionRecord } from '../../chain/preconfirmations/record.ts'
import type { Queries } from '../engine/database.ts'
import { hexToStored } from '../schema/table.ts'
import {
  FIGURE_STEPS,
  type PreconfirmedBlockRow,
  type PreconfirmedTransactionRow,
  preconfirmationFigures,
  preconfirmedBlocks,
  preconfirmedTransactions,
} from './tables.ts'

/** By the primary key. */
export async function preconfirmedTransaction(queries: Queries, hash: Hex): Promise<TransactionRecord | undefined> {
  const [row] = await queries.all(
    `select ${preconfirmedTransactions.select()}
    from preconfirmed_transactions
    where hash = $1`,
    [hexToStored(hash)],
  )
  return row && recordOf(preconfirmedTransactions.decode(row))
}

/** By the primary key. */
export async function preconfirmedBlock(queries: Queries, height: number): Promise<PreconfirmedBlockRow | undefined> {
  const [row] = await queries.all(
    `select ${preconfirmedBlocks.select()}
    from preconfirmed_blocks
    where height = $1`,
    [height],
  )
  return row && preconfirmedBlocks.decode(row)
}

/** Newest first. Index preconfirmed_blocks_included. */
export async function brokenBlocks(queries: Queries, limit: number): Promise<PreconfirmedBlockRow[]> {
  const rows = await queries.all(
    `select ${preconfirmedBlocks.select()}
    from preconfirmed_blocks
    where is_broken = 1
    order by included_ms desc
    limit $1`,
    [limit],
  )
  return rows.map((row) => preconfirmedBlocks.decode(row))
}

export type WindowFigures = { readonly window: string; readonly figures: PreconfirmationFigures }

/** For every window up to now. The step in which a window begins is left out, because part of it is older. By the primary key. */
export function preconfirmationWindows(queries: Queries, nowMs: number): Promise<WindowFigures[]> {
  return Promise.all(
    FIGURE_STEPS.map(async ({ window, windowMs, stepMs }) => {
      const rows = await queries.all(
        `select ${preconfirmationFigures.select()}
        from preconfirmation_figures
        where step_ms = $1 and start_ms >= $2
        order by step_ms, start_ms
        limit ${MAX_STEPS}`,
        [stepMs, nowMs - windowMs],
      )
      return { window, figures: sumOfFigures(rows.map((row) => preconfirmationFigures.decode(row).figures)) }
    }),
  )
}

/** More than any window has. */
const MAX_STEPS = 1_000

function recordOf(row: PreconfirmedTransactionRow): TransactionRecord {
  return {
    hash: row.hash,
    seenMs: row.seenMs,
    seenBy: row.seenBy,
    preconfirmation:
      row.preconfirmedMs === null
        ? null
        : {
            height: row.height!,
            flashblockIndex: row.flashblockIndex!,
            position: row.position!,
            atMs: row.preconfirmedMs,
          },
    inclusion:
      row.includedMs === null
        ? null
        : {
            height: row.includedHeight!,
            blockHash: row.includedHash!,
            position: row.includedPosition!,
            atMs: row.includedMs,
          },
    droppedMs: row.droppedMs,
    verdict: row.verdict,
    changes: row.changes,
    past: row.past ?? [],
  }
}
