import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries, Row } from '../engine/database.ts'
import { AMOUNT_ZERO } from '../schema/amount.ts'
import { hexToStored } from '../schema/table.ts'
import { type TokenItemRow, tokenItems } from '../schema/tables.ts'
import { limited, type Page } from './page.ts'

/**
 * The ids of an NFT with their owners, those of the largest collections first. Index token_balances_rank gives the owners,
 * the primary key of token_items what each has.
 */
export async function tokenInventory(
  queries: Queries,
  token: Hex,
  page: Page<InventoryKey>,
): Promise<(TokenItemRow & { readonly key: InventoryKey })[]> {
  const { beyond } = page
  const after = beyond
    ? 'and (b.balance, b.address) <= ($3, $4) and ((b.balance, b.address) < ($3, $4) or i.token_id > $5)'
    : ''
  const rows = await queries.all<Row & { collection: Uint8Array; owner: Uint8Array; id: Uint8Array }>(
    `select ${tokenItems.select(undefined, 'i')}, b.balance as collection, b.address as owner, i.token_id as id from token_balances b join token_items i on i.address = b.address and i.token = b.token where b.token = $1 and b.balance > $2 and i.balance > $2 ${after} order by b.balance desc, b.address desc, i.token_id ${limited(page)}`,
    [hexToStored(token), AMOUNT_ZERO, ...(beyond ?? [])],
  )
  return rows.map((row) => ({ ...tokenItems.decode(row), key: [row.collection, row.owner, row.id] }))
}

/** What the owner has of the token in all, the owner, the id: as they are stored. */
export type InventoryKey = readonly [collection: Uint8Array, owner: Uint8Array, id: Uint8Array]
