// The usual kinds of lists: by position in the chain, by balance, and those of one row.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { RankKey } from '../../store/read/native-balances.ts'
import type { Page } from '../../store/read/page.ts'
import type { List } from './paging.ts'

type Bounds = { readonly count: () => Promise<number>; readonly window?: number | undefined }

/** Rows with a position, in its order or against it. */
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
