// What only the blocks below could tell of tokens that were met above them, put right when a gap between two ranges closes. All else
// does not mind in which order blocks come.
import type { Queries } from '../engine/database.ts'

/** `firstHeight` is where the upper range began. */
export async function settleAbove(queries: Queries, firstHeight: number): Promise<void> {
  await dateTokens(queries, firstHeight)
  await dropFirstSupplies(queries, firstHeight)
}

/** A token is as old as its contract, which was created below. Index tokens_height. */
async function dateTokens(queries: Queries, firstHeight: number): Promise<void> {
  await queries.run(
    'update tokens set issued_ms = (select b.timestamp_ms from contracts c join blocks b on b.height = c.height where c.address = tokens.address) where height >= $1 and exists (select 1 from contracts c where c.address = tokens.address and c.tx_pos is not null and c.height < $1)',
    [firstHeight],
  )
}

/** Tokens that were new to the upper range, but not to the chain. Index token_supplies_height. */
async function dropFirstSupplies(queries: Queries, firstHeight: number): Promise<void> {
  await queries.run(
    'delete from token_supplies where height >= $1 and is_first = 1 and exists (select 1 from tokens t where t.address = token_supplies.token and t.height < token_supplies.height)',
    [firstHeight],
  )
}
