// How far the index is.
import type { Queries, Value } from '../engine/database.ts'
import { blocks, type StoredRange, storedRanges } from '../schema/tables.ts'
import { type BlockStamp, blockAt } from './blocks.ts'
import { checkMemory, memoryOf } from './chain-reader.ts'

export type TagHeights = { readonly safe: number | null; readonly finalized: number | null }

export type ChainState = TagHeights & {
  /** The highest stored block. */
  readonly head: BlockStamp | undefined
  /** Changes with every commit that can change an answer. */
  readonly version: string
}

/** In one statement, since it is asked before every answer; on SQLite only after a commit. */
export async function chainState(queries: Queries): Promise<ChainState> {
  const commits = queries.commits?.()
  const known = lastRead.get(queries)
  if (known && known.commits === commits) return known.state
  const state = await readState(queries)
  if (commits !== undefined) lastRead.set(queries, { commits, state })
  return state
}

const lastRead = new WeakMap<Queries, { readonly commits: number; readonly state: ChainState }>()

async function readState(queries: Queries): Promise<ChainState> {
  const [row] = await queries.all(STATE)
  const state = {
    head: row!.height === null ? undefined : blocks.decode(row!, STAMP),
    safe: heightFrom(row!.safe!),
    finalized: heightFrom(row!.finalized!),
    version: (row!.version as string | null) ?? '0',
  }
  const memory = memoryOf(queries)
  if (memory) await checkMemory(memory, state, async (height) => (await blockAt(queries, height))?.hash)
  return state
}

/** What is stored, lowest first; what lies between two ranges is missing. */
export async function rangesStored(queries: Queries): Promise<StoredRange[]> {
  const rows = await queries.all(
    `select ${storedRanges.select()} from stored_ranges order by first_height limit ${MAX_RANGES}`,
  )
  return rows.map((row) => storedRanges.decode(row))
}

export async function chainNote(queries: Queries, name: string): Promise<string | undefined> {
  const [row] = await queries.all<{ value: string }>('select value from chain_notes where name = $1', [name])
  return row?.value
}

/** Far more than a backfill leaves open. */
const MAX_RANGES = 10_000

const STAMP = ['height', 'hash', 'timestampMs'] as const

function noted(name: string): string {
  return `(select value from chain_notes where name = '${name}') as ${name}`
}

const STATE = `select ${blocks.select(STAMP, 'b')}, ${['safe', 'finalized', 'version'].map(noted).join(', ')} from (select 1) x left join blocks b on b.height = (select max(height) from blocks)`

function heightFrom(note: Value): number | null {
  return note === null || note === '' ? null : Number(note)
}
