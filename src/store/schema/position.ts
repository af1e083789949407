// One number orders everything in the chain: primary key, page order, block range and reorg cut. A safe integer up to
// height 2^33.
/** So many rows of a kind a block can have. */
export const INDEXES_A_BLOCK = 2 ** 20

export const positionOf = (height: number, index: number): number => height * INDEXES_A_BLOCK + index

export const heightOf = (pos: number): number => Math.floor(pos / INDEXES_A_BLOCK)

export const indexOf = (pos: number): number => pos % INDEXES_A_BLOCK

export type HeightRange = { readonly from?: number | undefined; readonly to?: number | undefined }

/** Heights are inclusive; where an end is open, so is the range. */
export const positionsWithin = ({ from = 0, to = 2 ** 33 - 2 }: HeightRange): { first: number; last: number } => ({
  first: positionOf(from, 0),
  last: positionOf(to + 1, 0) - 1,
})
