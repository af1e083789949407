// One number orders everything in the chain: primary key, page order, block range and reorg cut. A safe integer up to
// height 2^33.
/** So many rows of a kind a block can have. */
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

/** Heights are inclusive; where an end is open, so is the range. */
export function positionsWithin({ from = 0, to = 2 ** 33 - 2 }: HeightRange): { first: number; last: number } {
  return {
    first: positionOf(from, 0),
    last: positionOf(to + 1, 0) - 1,
  }
}
