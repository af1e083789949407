// One page of a list: by number inside the window that the spec allows, by cursor without one (docs/spec-gaps.md#9 and #10). The total
// is exact; where the first page has all rows nothing is counted.
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import type { RankKey } from '../../store/read/native-balances.ts'
import type { Page } from '../../store/read/page.ts'

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

/** For kinds of tokens that this chain does not have (docs/spec-gaps.md#17). */
export function emptyList<R>(): List<R> {
  return singleList<R>('none', undefined)
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
export function keyFrom(list: string, shape: KeyShape, cursor: string): Key {
  const [from, ...key] = parsed(cursor)
  const isKey = from === list && key.length === shape.length && shape.every((name, i) => parts[name](key[i]))
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
