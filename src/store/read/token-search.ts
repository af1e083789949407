import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { addressesNamed, prefixBounds } from './name-prefix.ts'
import { type Token, tokensByAddress } from './tokens.ts'

/** Of more tokens that begin alike, the first in the alphabet are looked at. */
const MOST_CANDIDATES = 500

/** Tokens whose symbol or name begins with the text, in any case; whole matches first, then by holders. */
export async function tokensNamed(queries: Queries, text: string, limit: number): Promise<Token[]> {
  const rows = await queries.all<{ address: string }>(
    // Indexes tokens_symbol and tokens_name, then the keys of both tables.
    `select lower(hex(x.address)) as address from (${addressesNamed('tokens', 'symbol', MOST_CANDIDATES)} union ${addressesNamed('tokens', 'name', MOST_CANDIDATES)}) x
     join tokens t on t.address = x.address left join token_counts c on c.token = x.address
     order by case when $3 in (lower(t.symbol), lower(t.name)) then 0 else 1 end, coalesce(c.holders, 0) desc, x.address
     limit ${Math.trunc(limit)}`,
    [...prefixBounds(text), text.toLowerCase()],
  )
  const addresses = rows.map(({ address }): Hex => `0x${address}`)
  const found = await tokensByAddress(queries, addresses)
  return addresses.flatMap((address) => found.get(address) ?? [])
}
