import type { Hex } from '../../chain/hex.ts'
import { AMOUNT_ZERO } from '../amount.ts'
import type { Queries } from '../database.ts'
import { hexToStored } from '../table.ts'
import { type TokenItemRow, tokenItems } from '../tables.ts'
import { limited } from './page.ts'

/**
 * The ids of an NFT with their owners, those of the largest collections first. Index token_balances_rank gives the owners,
 * the primary key of token_items what each has.
 */
export const tokenInventory = async (
  queries: Queries,
  token: Hex,
  page: { readonly limit: number; readonly offset: number },
): Promise<TokenItemRow[]> => {
  const rows = await queries.all(
    `select ${tokenItems.select(undefined, 'i')} from token_balances b join token_items i on i.address = b.address and i.token = b.token where b.token = $1 and b.balance > $2 and i.balance > $2 order by b.balance desc, b.address desc, i.token_id ${limited(page)}`,
    [hexToStored(token), AMOUNT_ZERO],
  )
  return rows.map((row) => tokenItems.decode(row))
}
