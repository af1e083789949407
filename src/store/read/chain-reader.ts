// What a reader remembers between requests. Rows at a position stay what they are, and lists only grow, as long as nothing is taken
// back; that is so while the block that was the highest is still there, since its hash stands for all below it. Whoever reads through
// `withMemory` must ask for the chain's state first, as the explorer does before every answer: that is when the memory is checked.
import type { Hex } from '../../chain/bytes/hex.ts'
import { createGenerations, type Generations } from '../../lib/cache/generations.ts'
import type { Queries } from '../engine/database.ts'
import type { BlockStamp } from './blocks.ts'

/** Rows are about a kilobyte each. */
const ROWS_KEPT = 32_000
/** Most have less than a kilobyte, and none more than two. */
const LOG_TEXTS_KEPT = 32_000
const ADDRESSES_KEPT = 20_000
const COUNTS_KEPT = 20_000
const STARTS_KEPT = 20_000

/** Good until something is taken back. A reader holds on to the one that it began with. */
type Lasting = {
  /** By table and position. */
  rowsOf: (table: string) => Generations<number, object>
  readonly contracts: Generations<Hex, true>
  /** Logs as they go out, by position. */
  readonly logTexts: Generations<number, string>
  /** Of lists that are at least as long as was asked. */
  readonly fullCounts: Generations<string, number>
}

/** Good until the next commit. */
type Passing = {
  readonly counts: Generations<string, number>
  readonly strangers: Generations<Hex, true>
  /** Positions of the rows that deep pages begin with, by list and offset. */
  readonly starts: Generations<string, number>
}

export type Memory = {
  lasting: Lasting
  passing: Passing
  version: string | undefined
  /** The highest block when the memory was last checked. */
  head: BlockStamp | undefined
}

const memories = new WeakMap<Queries, Memory>()

/** The same queries, with a memory of their own. */
export function withMemory(queries: Queries): Queries {
  const remembering = { ...queries }
  memories.set(remembering, { lasting: newLasting(), passing: newPassing(), version: undefined, head: undefined })
  return remembering
}

/** Undefined where nothing is to be remembered. */
export function memoryOf(queries: Queries): Memory | undefined {
  return memories.get(queries)
}

/** Forgets what the new state of the chain puts in doubt. */
export async function checkMemory(
  memory: Memory,
  state: { readonly version: string; readonly head: BlockStamp | undefined },
  hashAt: (height: number) => Promise<Hex | undefined>,
): Promise<void> {
  if (memory.version === state.version) return
  const { head } = memory
  const isThere = head !== undefined && (await hashAt(head.height)) === head.hash
  memory.passing = newPassing()
  if (!isThere) memory.lasting = newLasting()
  memory.version = state.version
  memory.head = state.head
}

function newLasting(): Lasting {
  const tables = new Map<string, Generations<number, object>>()
  return {
    rowsOf: (table) => {
      const known = tables.get(table)
      if (known) return known
      const rows = createGenerations<number, object>(ROWS_KEPT)
      tables.set(table, rows)
      return rows
    },
    contracts: createGenerations(ADDRESSES_KEPT),
    logTexts: createGenerations(LOG_TEXTS_KEPT),
    fullCounts: createGenerations(COUNTS_KEPT),
  }
}

function newPassing(): Passing {
  return {
    counts: createGenerations(COUNTS_KEPT),
    strangers: createGenerations(ADDRESSES_KEPT),
    starts: createGenerations(STARTS_KEPT),
  }
}
