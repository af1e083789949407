// Flashblocks of the last day.
import type { FlashblockRecord } from '../../chain/preconfirmations/record.ts'
import type { Queries } from '../engine/database.ts'
import { countOf, createParameters, keysOf, listStatement, type Page, rowsInList } from '../read/page.ts'
import { type FlashblockRow, flashblockLocation, flashblockPosition, flashblocks } from './tables.ts'

/** With the key that orders them. */
export type ListedFlashblock = FlashblockRecord & { readonly pos: number }

/** Newest first; the cursor is a position. */
export async function flashblockList(queries: Queries, page: Page): Promise<ListedFlashblock[]> {
  return flashblocksAt(
    queries,
    await keysOf(queries, {
      key: 'pos',
      from: { table: 'flashblocks', conditions: [], parameters: createParameters() },
      page,
    }),
  )
}

export function countFlashblocks(queries: Queries, atMost: number): Promise<number> {
  return countOf(queries, { table: 'flashblocks', conditions: [], parameters: createParameters() }, atMost)
}

/** Of one height, oldest first. */
export async function flashblocksOfHeight(queries: Queries, height: number): Promise<ListedFlashblock[]> {
  const rows = await queries.all(
    `select ${flashblocks.select()} from flashblocks where pos >= $1 and pos < $2 order by pos limit ${MOST_OF_A_HEIGHT}`,
    [
      flashblockPosition({ height, attempt: 0, index: 0 }),
      flashblockPosition({ height: height + 1, attempt: 0, index: 0 }),
    ],
  )
  return rows.map((row) => withPlace(flashblocks.decode(row)))
}

/** As it was stored: brotli of the JSON text. */
export async function flashblockMessage(queries: Queries, pos: number): Promise<Uint8Array | undefined> {
  const [row] = await queries.all<{ message: Uint8Array }>('select message from flashblock_messages where pos = $1', [
    pos,
  ])
  return row?.message
}

/** By the primary key. */
const AT_POSITIONS = listStatement((marks) => `select ${flashblocks.select()} from flashblocks where pos in (${marks})`)

async function flashblocksAt(queries: Queries, positions: readonly number[]): Promise<ListedFlashblock[]> {
  const rows = await rowsInList(queries, AT_POSITIONS, positions)
  const byPosition = new Map(rows.map((row) => [row.pos as number, withPlace(flashblocks.decode(row))]))
  return positions.flatMap((pos) => byPosition.get(pos) ?? [])
}

function withPlace(row: FlashblockRow): ListedFlashblock {
  return { ...row, ...flashblockLocation(row.pos) }
}

/** A builder that begins again and again still ends with its block. */
const MOST_OF_A_HEIGHT = 1_000
