// The position: one number that orders everything in the chain. It is primary key, order of pages, block range and limit of a reorg. It is
// a safe integer up to height 2^33.
/** The largest number of rows of one kind in a block. */
export const INDEXES_A_BLOCK = 2 ** 20

export function positionOf(height: number, index: number): number {
  return height * INDEXES_A_BLOCK + index
}

export function heightOf(pos: number): number {
  return Math.floor(pos / INDEXES_A_BLOCK)
}

export function indexOf(pos: number): number {
  return pos % INDEXES_A_BLOCK
}

export type HeightRange = { readonly from?: number | undefined; readonly to?: number | undefined }

/** Heights are inclusive; a missing end leaves the range open. */
export function positionsWithin({ from = 0, to = 2 ** 33 - 2 }: HeightRange): { first: number; last: number } {
  return {
    first: positionOf(from, 0),
    last: positionOf(to + 1, 0) - 1,
  }
}
