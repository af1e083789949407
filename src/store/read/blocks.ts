import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import type { BlockRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { blocks } from '../schema/tables.ts'
import { countOf, createParameters, inList, inLists, keysOf, type Page } from './page.ts'

/** What a transaction needs to know of its block. */
export type BlockStamp = Pick<BlockRow, 'height' | 'hash' | 'timestampMs'>

export async function blockAt(queries: Queries, height: number): Promise<BlockRow | undefined> {
  return (await blocksAt(queries, [height]))[0]
}

/** Index blocks_hash. */
export async function blockByHash(queries: Queries, hash: Hex): Promise<BlockRow | undefined> {
  const rows = await queries.all(`select ${blocks.select()} from blocks where hash = $1 limit 1`, [hexToStored(hash)])
  return rows[0] && blocks.decode(rows[0])
}

/** Newest first; `to` is the highest height. The cursor is a height. */
export async function blockList(queries: Queries, { to, ...page }: Page & { to?: number }): Promise<BlockRow[]> {
  const parameters = createParameters()
  const conditions = to === undefined ? [] : [`height <= ${parameters.add(to)}`]
  return blocksAt(
    queries,
    await keysOf(queries, { key: 'height', from: { table: 'blocks', conditions, parameters }, page }),
  )
}

export function countBlocks(queries: Queries, atMost: number, { to }: { to?: number } = {}): Promise<number> {
  const parameters = createParameters()
  const conditions = to === undefined ? [] : [`height <= ${parameters.add(to)}`]
  return countOf(queries, { table: 'blocks', conditions, parameters }, atMost)
}

/** The last block at or before a time. Index blocks_time. */
export async function lastBlockAtTime(queries: Queries, timestampMs: number): Promise<BlockRow | undefined> {
  return blockByTime(queries, 'where timestamp_ms <= $1 order by timestamp_ms desc, height desc', timestampMs)
}

/** The first block at or after a time. Index blocks_time. */
export async function firstBlockSinceTime(queries: Queries, timestampMs: number): Promise<BlockRow | undefined> {
  return blockByTime(queries, 'where timestamp_ms >= $1 order by timestamp_ms, height', timestampMs)
}

/** Blocks at these heights, in their order; those that are not stored are left out. */
export async function blocksAt(queries: Queries, heights: readonly number[]): Promise<BlockRow[]> {
  const rows = await inLists(heights, (piece) => {
    const { marks, values } = inList(piece)
    return queries.all(`select ${blocks.select()} from blocks where height in (${marks})`, values)
  })
  const byHeight = new Map(rows.map((row) => [row.height as number, blocks.decode(row)]))
  return heights.flatMap((height) => byHeight.get(height) ?? [])
}

async function blockByTime(queries: Queries, condition: string, timestampMs: number): Promise<BlockRow | undefined> {
  const rows = await queries.all(`select ${blocks.select()} from blocks ${condition} limit 1`, [timestampMs])
  return rows[0] && blocks.decode(rows[0])
}
