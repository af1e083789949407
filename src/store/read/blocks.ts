import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import type { BlockRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { blocks } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import { countOf, createParameters, keysOf, listStatement, type Page, rowsInList } from './page.ts'

export async function blockAt(queries: Queries, height: number): Promise<BlockRow | undefined> {
  return (await blocksAt(queries, [height]))[0]
}

/** Index blocks_hash. */
export async function blockByHash(queries: Queries, hash: Hex): Promise<BlockRow | undefined> {
  const rows = await queries.all(
    `select ${blocks.select()}
     from blocks
     where hash = $1
     limit 1`,
    [hexToStored(hash)],
  )
  return rows[0] && blocks.decode(rows[0])
}

/** Newest first; `to` is the highest height. The cursor is a height. By the primary key. */
export async function blockList(queries: Queries, { to, ...page }: Page & { to?: number }): Promise<BlockRow[]> {
  const parameters = createParameters()
  const conditions = to === undefined ? [] : [`height <= ${parameters.add(to)}`]
  return blocksAt(
    queries,
    await keysOf(queries, { key: 'height', from: { table: 'blocks', conditions, parameters }, page }),
  )
}

/** By the primary key. */
export function countBlocks(reader: Reader, atMost: number, { to }: { to?: number } = {}): Promise<number> {
  const parameters = createParameters()
  const conditions = to === undefined ? [] : [`height <= ${parameters.add(to)}`]
  return countOf(reader, { table: 'blocks', conditions, parameters }, atMost)
}

/** The last block at or before a time. Index blocks_time. */
export async function lastBlockAtTime(queries: Queries, timestampMs: number): Promise<BlockRow | undefined> {
  return blockByTime(queries, 'where timestamp_ms <= $1 order by timestamp_ms desc, height desc', timestampMs)
}

/** The first block at or after a time. Index blocks_time. */
export async function firstBlockSinceTime(queries: Queries, timestampMs: number): Promise<BlockRow | undefined> {
  return blockByTime(queries, 'where timestamp_ms >= $1 order by timestamp_ms, height', timestampMs)
}

/** By the primary key. */
const AT_HEIGHTS = listStatement((marks) => `select ${blocks.select()} from blocks where height in (${marks})`)

/** In the order of the heights; those that are not stored are left out. */
export async function blocksAt(queries: Queries, heights: readonly number[]): Promise<BlockRow[]> {
  const rows = await rowsInList(queries, AT_HEIGHTS, heights)
  const byHeight = new Map(rows.map((row) => [row.height as number, blocks.decode(row)]))
  return heights.flatMap((height) => byHeight.get(height) ?? [])
}

async function blockByTime(queries: Queries, condition: string, timestampMs: number): Promise<BlockRow | undefined> {
  const rows = await queries.all(
    `select ${blocks.select()}
     from blocks
     ${condition}
     limit 1`,
    [timestampMs],
  )
  return rows[0] && blocks.decode(rows[0])
}
