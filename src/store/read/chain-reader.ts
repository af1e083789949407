// The typed reader of the chain. A ChainReader belongs to one chain state and is obtained by `current()`; it carries the cache that the
// functions of this folder use. Functions that are given plain queries read without a cache.
//
// What the cache must never do: give a row of a branch that a reorg removed. The hash of the highest block stands for all blocks below
// it, so as long as that block is still stored, rows at a position stay the same and lists only grow. When it is gone, the cache is
// cleared and its branch number grows; a reader of an older branch then reads past the cache and writes nothing into it.
import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { CacheFigures } from '../../lib/cache/cache-figures.ts'
import type { Queries } from '../engine/database.ts'
import { blockHashAt, type ChainState, chainState } from './chain-state.ts'

/** A database, a transaction, or a ChainReader: all that a reading function needs. */
export type Reader = Queries & { readonly cache?: ChainCache | undefined }

export type ChainReader = Queries & { readonly state: ChainState; readonly cache: ChainCache }

export type ChainReaders = {
  /** For reads that need no cache, and for tables beside the chain. */
  readonly queries: Queries
  /** The reader of the chain as it is now. On SQLite this reads only after a commit. */
  readonly current: () => Promise<ChainReader>
  readonly figures: () => CacheFigures
}

/** A record as an answer shows it, and its JSON once that was needed. Valid for one chain state. */
export type CachedRecord = { readonly kind: string; readonly record: object; json: string | undefined }

/** The cache as the reader of one chain state sees it. */
export type ChainCache = {
  row: (table: string, pos: number) => object | undefined
  setRow: (table: string, pos: number, row: object) => void
  /** The record that was last built from a cached row, if it is of this kind and of this chain state. */
  record: (table: string, pos: number, kind: string) => CachedRecord | undefined
  setRecord: (table: string, pos: number, record: CachedRecord) => void
  count: (key: string) => number | undefined
  /** `isFinal`: the list reached the bound that it is counted to, and cannot become shorter. */
  setCount: (key: string, count: number, isFinal: boolean) => void
  isContract: (address: Hex) => boolean | undefined
  setIsContract: (address: Hex, isContract: boolean) => void
  /** The position of the first row of a deep page. */
  pageStart: (key: string) => number | undefined
  setPageStart: (key: string, pos: number) => void
  /** A log as JSON. */
  logText: (pos: number) => string | undefined
  setLogText: (pos: number, text: string) => void
}

const MAX_ROWS_A_TABLE = 60_000
/** A row with its record and its JSON, roughly. */
const ROW_BYTES = 1_500
const MAX_LOG_TEXTS = 60_000
const MAX_LOG_TEXT_BYTES = 64_000_000
/** A log may be of any length; longer ones are not cached. */
const MAX_LOG_TEXT_LENGTH = 2_000
const MAX_COUNTS = 20_000
const MAX_ADDRESSES = 40_000
const MAX_PAGE_STARTS = 20_000
/** A key and a number, roughly. */
const SMALL_ENTRY_BYTES = 200

/** `version` is the chain state that the record, the count or the flag is of; undefined where every state of the branch may use it. */
type RowEntry = { readonly row: object; record: CachedRecord | undefined; version: string | undefined }
type Versioned<V> = { readonly value: V; readonly version: string | undefined }

export function createChainReaders(queries: Queries): ChainReaders {
  const shared = createSharedCache()
  let known: { readonly commits: number | undefined; readonly reader: ChainReader } | undefined

  return {
    queries,
    current: async () => {
      const commits = queries.commits?.()
      if (known && commits !== undefined && known.commits === commits) return known.reader
      const state = await chainState(queries)
      const last = known?.reader
      if (last && last.state.version === state.version) {
        known = { commits, reader: last }
        return last
      }
      const isRepaired = last !== undefined && last.state.repairs !== state.repairs
      if (isRepaired || !(await isStillStored(queries, last?.state))) shared.startBranch()
      const reader = { ...queries, state, cache: shared.at(state.version) }
      known = { commits, reader }
      return reader
    },
    figures: shared.figures,
  }
}

/** Whether the head of an earlier state is still in the chain. */
async function isStillStored(queries: Queries, earlier: ChainState | undefined): Promise<boolean> {
  return earlier?.head !== undefined && (await blockHashAt(queries, earlier.head.height)) === earlier.head.hash
}

function createSharedCache() {
  const rows = new Map<string, LRUCache<number, RowEntry>>()
  const counts = new LRUCache<string, Versioned<number>>({ max: MAX_COUNTS })
  const contracts = new LRUCache<Hex, Versioned<boolean>>({ max: MAX_ADDRESSES })
  const pageStarts = new LRUCache<string, Versioned<number>>({ max: MAX_PAGE_STARTS })
  const logTexts = new LRUCache<number, string>({
    max: MAX_LOG_TEXTS,
    maxSize: MAX_LOG_TEXT_BYTES,
    sizeCalculation: (text) => text.length,
  })
  let branch = 0
  let hits = 0
  let misses = 0

  const counted = <V>(value: V | undefined): V | undefined => {
    if (value === undefined) misses++
    else hits++
    return value
  }
  const rowsOf = (table: string): LRUCache<number, RowEntry> => {
    const found = rows.get(table)
    if (found) return found
    const created = new LRUCache<number, RowEntry>({ max: MAX_ROWS_A_TABLE })
    rows.set(table, created)
    return created
  }

  return {
    startBranch: (): void => {
      branch++
      for (const cache of [...rows.values(), counts, contracts, pageStarts, logTexts]) cache.clear()
    },
    at: (version: string): ChainCache => {
      const own = branch
      const isStale = () => branch !== own
      const valid = <V>(entry: Versioned<V> | undefined): V | undefined =>
        entry && (entry.version === undefined || entry.version === version) ? entry.value : undefined
      return {
        row: (table, pos) => (isStale() ? undefined : counted(rowsOf(table).get(pos)?.row)),
        setRow: (table, pos, row) => {
          if (!isStale()) rowsOf(table).set(pos, { row, record: undefined, version: undefined })
        },
        record: (table, pos, kind) => {
          if (isStale()) return undefined
          const entry = rowsOf(table).peek(pos)
          return entry?.version === version && entry.record?.kind === kind ? entry.record : undefined
        },
        setRecord: (table, pos, record) => {
          const entry = isStale() ? undefined : rowsOf(table).peek(pos)
          if (!entry) return
          entry.record = record
          entry.version = version
        },
        count: (key) => (isStale() ? undefined : counted(valid(counts.get(key)))),
        setCount: (key, value, isFinal) => {
          if (!isStale()) counts.set(key, { value, version: isFinal ? undefined : version })
        },
        isContract: (address) => (isStale() ? undefined : counted(valid(contracts.get(address)))),
        // An address without code may get some with the next block; a contract stays one.
        setIsContract: (address, value) => {
          if (!isStale()) contracts.set(address, { value, version: value ? undefined : version })
        },
        pageStart: (key) => (isStale() ? undefined : counted(valid(pageStarts.get(key)))),
        setPageStart: (key, value) => {
          if (!isStale()) pageStarts.set(key, { value, version })
        },
        logText: (pos) => (isStale() ? undefined : counted(logTexts.get(pos))),
        setLogText: (pos, text) => {
          if (!isStale() && text.length <= MAX_LOG_TEXT_LENGTH) logTexts.set(pos, text)
        },
      }
    },
    figures: (): CacheFigures => {
      const rowCount = [...rows.values()].reduce((sum, { size }) => sum + size, 0)
      const small = counts.size + contracts.size + pageStarts.size
      return {
        hits,
        misses,
        entries: rowCount + small + logTexts.size,
        bytes: rowCount * ROW_BYTES + small * SMALL_ENTRY_BYTES + logTexts.calculatedSize,
      }
    },
  }
}
