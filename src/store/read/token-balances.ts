import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries, Row } from '../engine/database.ts'
import type { TokenKind } from '../schema/rows.ts'
import { AMOUNT_ZERO, encodeAmount, hexToStored } from '../schema/table.ts'
import { type TokenBalanceRow, type TokenItemRow, tokenBalances, tokenItems } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import type { RankKey } from './native-balances.ts'
import { countOf, createParameters, limited, type Page } from './page.ts'

/** The richest first, over all ids of an NFT; the token's `holders` is their number. Index token_balances_rank. */
export async function tokenHolders(queries: Queries, token: Hex, page: Page<RankKey>): Promise<TokenBalanceRow[]> {
  const beyond = page.beyond ? ' and (balance, address) < ($3, $4)' : ''
  const rows = await queries.all(
    `select ${tokenBalances.select(undefined, 'x')}
     from (
       select * from token_balances
       where token = $1 and balance > $2${beyond}
       order by balance desc, address desc
       ${limited(page)}
     ) x
     order by x.balance desc, x.address desc`,
    [hexToStored(token), AMOUNT_ZERO, ...(page.beyond ? rankValues(page.beyond) : [])],
  )
  return rows.map((row) => tokenBalances.decode(row))
}

/** What one address holds of a token, and its rank among the holders, from 1. Index token_balances_rank. */
export async function tokenHolder(
  queries: Queries,
  token: Hex,
  address: Hex,
): Promise<(Pick<TokenBalanceRow, 'balance' | 'readHeight'> & { rank: number }) | undefined> {
  const [held] = await tokenBalancesOf(queries, { address, token }, { limit: 1 })
  if (!held) return undefined
  const [row] = await queries.all<{ count: number }>(
    `select count(*) as count
     from token_balances
     where token = $1 and (balance, address) > ($2, $3)`,
    [hexToStored(token), ...rankValues(held)],
  )
  return { balance: held.balance, readHeight: held.readHeight, rank: row!.count + 1 }
}

export type HoldingFilter = {
  readonly address: Hex
  readonly token?: Hex | undefined
  readonly kind?: TokenKind | undefined
}

/** What an address holds, by token, over all ids; the cursor is the last token seen. Index token_balances_address. */
export async function tokenBalancesOf(
  queries: Queries,
  filter: HoldingFilter,
  page: Page<Hex>,
): Promise<TokenBalanceRow[]> {
  const { conditions, parameters } = heldBy('token_balances', filter)
  if (page.beyond !== undefined) conditions.push(`token > ${parameters.add(hexToStored(page.beyond))}`)
  const rows = await queries.all(
    `select ${tokenBalances.select(undefined, 'x')}
     from (
       select * from token_balances
       where ${conditions.join(' and ')}
       order by token
       ${limited(page)}
     ) x
     order by x.token`,
    parameters.values,
  )
  return rows.map((row) => tokenBalances.decode(row))
}

export function countTokenBalancesOf(reader: Reader, filter: HoldingFilter): Promise<number> {
  return countOf(reader, heldBy('token_balances', filter))
}

/** Which ids of NFTs an address holds, by token and id. Primary key of token_items. */
export async function tokenItemsOf(
  queries: Queries,
  filter: HoldingFilter,
  page: Page<Pick<TokenItemRow, 'token' | 'tokenId'>>,
): Promise<TokenItemRow[]> {
  const { conditions, parameters } = heldBy('token_items', filter)
  if (page.beyond !== undefined) {
    const token = parameters.add(hexToStored(page.beyond.token))
    conditions.push(`(token, token_id) > (${token}, ${parameters.add(encodeAmount(page.beyond.tokenId))})`)
  }
  const rows = await queries.all(
    `select ${tokenItems.select(undefined, 'x')}
     from (
       select * from token_items
       where ${conditions.join(' and ')}
       order by token, token_id
       ${limited(page)}
     ) x
     order by x.token, x.token_id`,
    parameters.values,
  )
  return rows.map((row) => tokenItems.decode(row))
}

/** At which height each balance was read from the contract; null where it is a sum of events. By the primary key. */
export async function readHeightsOf(
  queries: Queries,
  address: Hex,
  tokens: readonly Hex[],
): Promise<Map<Hex, number | null>> {
  const keys = tokens.map((token) => [hexToStored(token), hexToStored(address)])
  const rows = await queries.lookup(tokenBalances, tokenBalances.select(), ['token', 'address'], keys)
  return new Map(rows.map((row) => tokenBalances.decode(row)).map(({ token, readHeight }) => [token, readHeight]))
}

export function countTokenItemsOf(reader: Reader, filter: HoldingFilter): Promise<number> {
  return countOf(reader, heldBy('token_items', filter))
}

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
    `select ${tokenItems.select(undefined, 'i')}, b.balance as collection, b.address as owner, i.token_id as id
     from token_balances b
     join token_items i on i.address = b.address and i.token = b.token
     where b.token = $1 and b.balance > $2 and i.balance > $2 ${after}
     order by b.balance desc, b.address desc, i.token_id
     ${limited(page)}`,
    [hexToStored(token), AMOUNT_ZERO, ...(beyond ?? [])],
  )
  return rows.map((row) => ({ ...tokenItems.decode(row), key: [row.collection, row.owner, row.id] }))
}

/** What the owner holds of the token in all, the owner, the id: as they are stored. */
export type InventoryKey = readonly [collection: Uint8Array, owner: Uint8Array, id: Uint8Array]

function rankValues({ balance, address }: RankKey): Uint8Array[] {
  return [encodeAmount(balance), hexToStored(address)]
}

function heldBy(table: 'token_balances' | 'token_items', { address, token, kind }: HoldingFilter) {
  const parameters = createParameters()
  const conditions = [`address = ${parameters.add(hexToStored(address))}`, `balance > ${parameters.add(AMOUNT_ZERO)}`]
  if (token !== undefined) conditions.push(`token = ${parameters.add(hexToStored(token))}`)
  if (kind !== undefined) {
    const mark = parameters.add(kind)
    conditions.push(`exists (select 1 from tokens t where t.address = ${table}.token and t.kind = ${mark})`)
  }
  return { table, conditions, parameters }
}
