// Reads the flashblocks of the last day.
import type { FlashblockRecord } from '../../chain/preconfirmations/record.ts'
import type { Queries } from '../engine/database.ts'
import { countOf, createParameters, keysOf, listStatement, type Page, rowsInList } from '../read/page.ts'
import { type FlashblockRow, flashblockLocation, flashblockPosition, flashblocks } from './tables.ts'

/** With the position that orders the list. */
export type ListedFlashblock = FlashblockRecord & { readonly pos: number }

/** Newest first; the cursor is a position. By the primary key. */
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

/** The flashblocks of one height, oldest first. By the primary key. */
export async function flashblocksOfHeight(queries: Queries, height: number): Promise<ListedFlashblock[]> {
  const rows = await queries.all(
    `select ${flashblocks.select()}
    from flashblocks
    where pos >= $1 and pos < $2
    order by pos
    limit ${MAX_PER_HEIGHT}`,
    [
      flashblockPosition({ height, attempt: 0, index: 0 }),
      flashblockPosition({ height: height + 1, attempt: 0, index: 0 }),
    ],
  )
  return rows.map((row) => withLocation(flashblocks.decode(row)))
}

/** The JSON text, compressed by brotli. By the primary key. */
export async function flashblockMessage(queries: Queries, pos: number): Promise<Uint8Array | undefined> {
  const [row] = await queries.all<{ message: Uint8Array }>(
    `select message
    from flashblock_messages
    where pos = $1`,
    [pos],
  )
  return row?.message
}

/** By the primary key. */
const AT_POSITIONS = listStatement(
  (marks) => `
    select ${flashblocks.select()}
    from flashblocks
    where pos in (${marks})`,
)

async function flashblocksAt(queries: Queries, positions: readonly number[]): Promise<ListedFlashblock[]> {
  const rows = await rowsInList(queries, AT_POSITIONS, positions)
  const byPosition = new Map(rows.map((row) => [row.pos as number, withLocation(flashblocks.decode(row))]))
  return positions.flatMap((pos) => byPosition.get(pos) ?? [])
}

function withLocation(row: FlashblockRow): ListedFlashblock {
  return { ...row, ...flashblockLocation(row.pos) }
}

/** Even a builder that starts a block again many times publishes fewer. */
const MAX_PER_HEIGHT = 1_000
