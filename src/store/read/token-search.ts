import type { Hex } from '../../chain/hex.ts'
import type { Queries } from '../database.ts'
import { type Token, tokensByAddress } from './tokens.ts'

/** Tokens whose symbol or name begins with the text, in any case; whole matches first, then by holders. */
export const tokensNamed = async (queries: Queries, text: string, limit: number): Promise<Token[]> => {
  const plain = text.toLowerCase()
  const rows = await queries.all<{ address: string }>(
    // Reads the table of tokens once: it has a row a token, some hundred bytes each.
    `select lower(hex(t.address)) as address from tokens t left join token_counts c on c.token = t.address
     where lower(t.symbol) like $1 escape '!' or lower(t.name) like $1 escape '!'
     order by case when lower(t.symbol) = $2 or lower(t.name) = $2 then 0 else 1 end, coalesce(c.holders, 0) desc, t.address
     limit ${Math.trunc(limit)}`,
    [`${plain.replace(/[!%_]/g, '!$&')}%`, plain],
  )
  const addresses = rows.map(({ address }): Hex => `0x${address}`)
  const found = await tokensByAddress(queries, addresses)
  return addresses.flatMap((address) => found.get(address) ?? [])
}
