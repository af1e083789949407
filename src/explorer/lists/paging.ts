// One page of a list: by number inside the window that the spec allows, by cursor without one (docs/spec-gaps.md#9 and #10). The total
// is exact; where the first page has all rows nothing is counted.
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import type { RankKey } from '../../store/read/native-balances.ts'
import type { Page } from '../../store/read/page.ts'
import type { PoolKey } from '../records/parts.ts'

/** §8: how many records of E3, E5, E8 and E12 can be reached by page number. */
export const WINDOW = 10_000

export type PageRequest = { readonly page: number; readonly limit: number; readonly after?: string | undefined }

/** Begins `offset` rows from the front, or behind the row with the key. */
export type Slice = { readonly limit: number } & ({ readonly offset: number } | { readonly after: Key })

type Bounds = { readonly count: () => Promise<number>; readonly window?: number | undefined }

export type List<R> = Bounds & {
  /** Cursors of one list do not work in another. */
  readonly name: string
  readonly rows: (slice: Slice) => Promise<readonly R[]>
  readonly keyShape: KeyShape
  /** What some keys have behind that. */
  readonly moreOfKey?: KeyShape
  readonly keyOf: (row: R) => Key
}

export type ListPage<R> = {
  readonly rows: readonly R[]
  readonly total: number
  /** Rank of the first row, from 0; undefined behind a cursor. */
  readonly offset: number | undefined
  readonly paging: { page: string; limit: string; totalPage: string; nextCursor: string }
}

/** No list is as long; a page beyond it is empty. */
const NO_WINDOW = Number.MAX_SAFE_INTEGER

export async function pageOf<R>(list: List<R>, request: PageRequest): Promise<ListPage<R>> {
  const { name, window = NO_WINDOW } = list
  const { page, limit, after } = request
  const offset = after === undefined ? (page - 1) * limit : undefined
  const room = offset === undefined ? limit : Math.max(0, Math.min(limit, window - offset))
  // One row more than asked for shows whether there is a next page.
  const found =
    room === 0
      ? []
      : await list.rows({
          limit: room + 1,
          ...(after === undefined
            ? { offset: offset! }
            : { after: keyFrom(name, list.keyShape, after, list.moreOfKey) }),
        })
  const rows = found.slice(0, room)
  const isAll = offset === 0 && found.length <= room
  const total = isAll ? rows.length : await list.count()
  const last = rows.at(-1)
  return {
    rows,
    total,
    offset,
    paging: {
      page: String(page),
      limit: String(limit),
      totalPage: String(Math.ceil(Math.min(total, window) / limit)),
      nextCursor: last !== undefined && found.length > room ? cursorFrom(name, list.keyOf(last)) : '',
    },
  }
}

/** Rows with a position, ascending or descending. */
export function positionList<R extends { readonly pos: number }>(
  name: string,
  rows: (page: Page) => Promise<readonly R[]>,
  bounds: Bounds,
): List<R> {
  return {
    name,
    rows: (slice) => rows('after' in slice ? { limit: slice.limit, beyond: Number(slice.after[0]) } : slice),
    keyShape: ['position'],
    keyOf: ({ pos }) => [pos],
    ...bounds,
  }
}

/** Holders, the richest first, with their rank from 1. */
export function rankedList<R extends { readonly address: Hex; readonly balance: bigint }>(
  name: string,
  rows: (page: Page<RankKey>) => Promise<readonly R[]>,
  bounds: Bounds,
): List<R & { rank: number }> {
  return {
    name,
    rows: async (slice) => {
      if (!('after' in slice)) return ranked(await rows(slice), slice.offset)
      const [balance = 0, address, rank] = slice.after
      const beyond = { balance: BigInt(balance), address: address as Hex }
      return ranked(await rows({ limit: slice.limit, beyond }), Number(rank))
    },
    keyShape: ['amount', 'address', 'position'],
    keyOf: ({ balance, address, rank }) => [balance.toString(), address, rank],
    ...bounds,
  }
}

function ranked<R>(rows: readonly R[], before: number): (R & { rank: number })[] {
  return rows.map((row, i) => ({ ...row, rank: before + i + 1 }))
}

/** One row, or none. */
export function singleList<R>(name: string, row: R | undefined): List<R> {
  return {
    name,
    rows: async (slice) => (row !== undefined && 'offset' in slice && slice.offset === 0 ? [row] : []),
    count: async () => (row === undefined ? 0 : 1),
    keyShape: [],
    keyOf: () => [],
  }
}

/** For kinds of tokens that this chain does not have (docs/spec-gaps.md#17), and below rows that are only pending. */
export function emptyList<R>(name = 'none'): List<R> {
  return { ...singleList<R>(name, undefined), keyShape: ['position'] }
}

type ListedRow = { readonly pos: number; readonly poolKey?: PoolKey | undefined }

export type PendingSide<R> = {
  /** In a block above the index, newest first. */
  readonly pending: readonly R[]
  /** Newest first. */
  readonly pool?: readonly R[]
  /** What was in the pool behind this number, as it is now; each with the same bound. */
  readonly carried?: (number: number, bound: number) => Promise<readonly R[]>
}

/**
 * A list that begins with pending rows. Preconfirmed rows have positions above all stored ones, the same that they have once their block
 * is sealed, so pages, cursors and totals continue from them into the stored ones. Rows that wait in a pool have no position yet: what
 * waited behind the cursor is looked up again, whatever became of it, and everything above the bound is left out, so that a walk shows
 * each transaction once. `stored` is newest first and must not reach above the head that the pending rows were taken for.
 */
export function afterPending<R extends ListedRow>(side: PendingSide<R>, stored: List<R>): List<R> {
  const { pending, pool = [], carried = async () => [] } = side
  const first = [...pool, ...pending]

  const beginning = async (
    slice: Slice,
  ): Promise<{ before: readonly R[]; rest: { offset: number } | { after: [number] } }> => {
    if (!('after' in slice)) {
      return { before: first.slice(slice.offset), rest: { offset: Math.max(0, slice.offset - first.length) } }
    }
    const [at, bound] = slice.after.map(Number) as [number, number?]
    if (bound === undefined) return { before: pending.filter(({ pos }) => pos < at), rest: { after: [at] } }
    const waited = await carried(at, bound)
    return { before: [...waited, ...pending.filter(({ pos }) => pos <= bound)], rest: { after: [bound + 1] } }
  }

  return {
    ...stored,
    moreOfKey: ['position'],
    keyOf: (row) => row.poolKey ?? [row.pos],
    rows: async (slice) => {
      const { limit } = slice
      const { before, rest } = await beginning(slice)
      const shown = before.slice(0, limit)
      if (shown.length === limit) return shown
      return [...shown, ...(await stored.rows({ ...rest, limit: limit - shown.length }))]
    },
    count: async () => first.length + (await stored.count()),
  }
}

/** Rows as they happened: the pending ones come last. */
export function beforePending<R extends ListedRow>(stored: List<R>, pending: readonly R[]): List<R> {
  return {
    ...stored,
    rows: async (slice) => {
      const found = await stored.rows(slice)
      const room = slice.limit - found.length
      if (room === 0) return found
      if ('after' in slice) {
        const beyond = pending.filter(({ pos }) => pos > Number(slice.after[0]))
        return [...found, ...beyond.slice(0, room)]
      }
      const skipped = found.length > 0 ? 0 : Math.max(0, slice.offset - (await stored.count()))
      return [...found, ...pending.slice(skipped, skipped + room)]
    },
    count: async () => (await stored.count()) + pending.length,
  }
}

/** The last record of a page, in the order of its list. */
export type Key = readonly (string | number)[]

const parts = {
  number: (part: unknown) => Number.isFinite(part),
  position: (part: unknown) => Number.isSafeInteger(part) && (part as number) >= 0,
  /** A hostile token may report sums above 2^256. */
  amount: (part: unknown) => typeof part === 'string' && /^\d{1,100}$/.test(part),
  address: (part: unknown) => typeof part === 'string' && /^0x[0-9a-f]{40}$/.test(part),
}

/** The kinds of the parts of a list's keys. */
export type KeyShape = readonly (keyof typeof parts)[]

export function cursorFrom(list: string, key: Key): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url')
}

/** Refuses a cursor of another list: a walk that silently begins elsewhere would be worse. */
export function keyFrom(list: string, shape: KeyShape, cursor: string, more: KeyShape = []): Key {
  const [from, ...key] = parsed(cursor)
  const kinds = key.length > shape.length ? [...shape, ...more] : shape
  const isKey = from === list && key.length === kinds.length && kinds.every((name, i) => parts[name](key[i]))
  if (!isKey) throw new Failure('parameterWrong', 'Parameter after error: must be a nextCursor of an earlier answer.')
  return key as Key
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
