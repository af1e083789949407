// One page of a list: by number inside the window that the spec allows, by cursor without one (docs/spec-gaps.md#9
// and #10). The total is exact; where the first page holds everything it need not be counted.
import { cursorFrom, type Key, type KeyShape, keyFrom } from './cursor.ts'

/** §8: how many records of E3, E5, E8 and E12 can be reached by page number. */
export const WINDOW = 10_000

export type PageWish = { readonly page: number; readonly limit: number; readonly after?: string | undefined }

/** Where to start: `offset` records from the front, or behind the record with the key. */
export type Slice = { readonly limit: number } & ({ readonly offset: number } | { readonly after: Key })

export type List<R> = {
  /** Cursors of one list do not work in another. */
  readonly name: string
  readonly rows: (slice: Slice) => Promise<readonly R[]>
  readonly count: () => Promise<number>
  readonly keyShape: KeyShape
  readonly keyOf: (row: R) => Key
  readonly window?: number | undefined
}

export type Page<R> = {
  readonly rows: readonly R[]
  readonly total: number
  /** Rank of the first row, from 0; undefined behind a cursor. */
  readonly offset: number | undefined
  readonly paging: { page: string; limit: string; totalPage: string; nextCursor: string }
}

/** No list is as long; a page past it is one past the end. */
const NO_WINDOW = Number.MAX_SAFE_INTEGER

export async function pageOf<R>(list: List<R>, wish: PageWish): Promise<Page<R>> {
  const { name, window = NO_WINDOW } = list
  const { page, limit, after } = wish
  const offset = after === undefined ? (page - 1) * limit : undefined
  const room = offset === undefined ? limit : Math.max(0, Math.min(limit, window - offset))
  // One more than asked for tells whether there is a next page.
  const found =
    room === 0
      ? []
      : await list.rows({
          limit: room + 1,
          ...(after === undefined ? { offset: offset! } : { after: keyFrom(name, list.keyShape, after) }),
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

/** For what this chain has none of (docs/spec-gaps.md#17). */
export function emptyList<R>(): List<R> {
  return {
    name: 'none',
    rows: async () => [],
    count: async () => 0,
    keyShape: [],
    keyOf: () => [],
  }
}
