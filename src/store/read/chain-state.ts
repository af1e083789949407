// How far the index is: the highest stored block, the safe and finalized heights, the stored ranges.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries, Value } from '../engine/database.ts'
import type { BlockRow } from '../schema/rows.ts'
import { blocks, type StoredRange, storedRanges } from '../schema/tables.ts'

/** What lists show of the block of a transaction. */
export type BlockStamp = Pick<BlockRow, 'height' | 'hash' | 'timestampMs'>

export type TagHeights = { readonly safe: number | null; readonly finalized: number | null }

export type ChainState = TagHeights & {
  /** The highest stored block; undefined while nothing is stored. */
  readonly head: BlockStamp | undefined
  /** Changes with every commit that can change an answer. */
  readonly version: string
}

const STAMP = ['height', 'hash', 'timestampMs'] as const

function noted(name: string): string {
  return `(select value from chain_notes where name = '${name}') as ${name}`
}

const STATE = `
  select ${blocks.select(STAMP, 'b')},
    ${noted('safe')},
    ${noted('finalized')},
    ${noted('version')}
  from (select 1) x
  left join blocks b on b.height = (select max(height) from blocks)`

/** One statement, since every answer begins with it. By primary keys. */
export async function chainState(queries: Queries): Promise<ChainState> {
  const [row] = await queries.all(STATE)
  return {
    head: row!.height === null ? undefined : blocks.decode(row!, STAMP),
    safe: heightFrom(row!.safe!),
    finalized: heightFrom(row!.finalized!),
    version: (row!.version as string | null) ?? '0',
  }
}

/** By the primary key. */
export async function blockHashAt(queries: Queries, height: number): Promise<Hex | undefined> {
  const [row] = await queries.all(`select ${blocks.select(['hash'])} from blocks where height = $1`, [height])
  return row && blocks.decode(row, ['hash']).hash
}

/** Far more ranges than a backfill leaves open. */
const MAX_RANGES = 10_000

/** Lowest first; heights between two ranges are missing. By the primary key. */
export async function rangesStored(queries: Queries): Promise<StoredRange[]> {
  const rows = await queries.all(
    `select ${storedRanges.select()}
     from stored_ranges
     order by first_height
     limit ${MAX_RANGES}`,
  )
  return rows.map((row) => storedRanges.decode(row))
}

/** By the primary key. */
export async function chainNote(queries: Queries, name: string): Promise<string | undefined> {
  const [row] = await queries.all<{ value: string }>('select value from chain_notes where name = $1', [name])
  return row?.value
}

function heightFrom(note: Value): number | null {
  return note === null || note === '' ? null : Number(note)
}
