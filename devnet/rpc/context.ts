// What a method may use to answer.
import type { DevnetChain } from '../chain/chain.ts'
import type { Connection } from './connection.ts'
import type { Filters } from './filters.ts'

export type Context = {
  readonly chain: DevnetChain
  readonly filters: Filters
  /** Null over HTTP, where nothing can be sent later. */
  readonly connection: Connection | null
}
