// Market data of tokens from the operator's sources. It is not part of the chain: a reorg does not change it, and each refresh replaces
// all of it.
import type { Database, Queries } from '../engine/database.ts'
import type { MarketRow } from '../schema/rows.ts'
import { market } from '../schema/tables.ts'
import { incrementChainVersion } from './chain-notes.ts'

export function writeMarket(database: Database, rows: readonly MarketRow[]): Promise<void> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    await queries.run('delete from token_market')
    await queries.run(
      `update tokens
      set market_cap = 0, volume24h = 0
      where market_cap <> 0 or volume24h <> 0`,
    )
    await queries.insert(
      market,
      rows.map((row) => market.encode(row)),
    )
    await copyMarketToTokens(queries)
  })
}

/** The list of tokens is ordered by these figures, and its indexes are on `tokens`. By the primary key. */
export async function copyMarketToTokens(queries: Queries): Promise<void> {
  await queries.run(
    `update tokens
    set market_cap = m.market_cap, volume24h = m.volume24h
    from token_market m
    where m.token = tokens.address`,
  )
}
