// What surrounds the rows of one answer: how the chain is called, where its heads are, and what is known of the addresses
// in the rows.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { TokenRow } from '../../store/schema/rows.ts'

export type ChainNames = { readonly shortName: string; readonly fullName: string; readonly symbol: string }

export type Heads = {
  readonly latest: number
  /** Null where the node has no such tag. */
  readonly safe: number | null
  readonly finalized: number | null
}

export type TokenUnit = Pick<TokenRow, 'name' | 'symbol' | 'decimals'>

export type ChainView = {
  readonly names: ChainNames
  readonly heads: Heads
  /** Time of the newest block. */
  readonly nowMs: number
  /** 0 where the chain has no challenge period. */
  readonly challengePeriodMs: number
  tokenAt: (address: Hex) => TokenUnit
  isContract: (address: Hex) => boolean
}
