import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import type { NativeBalanceRow } from '../schema/rows.ts'
import { AMOUNT_ZERO, encodeAmount, hexToStored } from '../schema/table.ts'
import { nativeBalances, nativeHistory } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import { countOf, createParameters, limited, listStatement, type Page, rowsInList } from './page.ts'

/** Where the next page of a ranked list begins: the balance and the address of the last row. */
export type RankKey = { readonly balance: bigint; readonly address: Hex }

/** The richest first. Index native_balances_rank, which covers the columns. */
export async function nativeHolders(queries: Queries, page: Page<RankKey>): Promise<RankKey[]> {
  const beyond = page.beyond ? ' and (balance, address) < ($2, $3)' : ''
  const rows = await queries.all(
    `select ${nativeBalances.select(RANKED, 'x')}
     from (
       select balance, address from native_balances
       where balance > $1${beyond}
       order by balance desc, address desc
       ${limited(page)}
     ) x
     order by x.balance desc, x.address desc`,
    [AMOUNT_ZERO, ...(page.beyond ? [encodeAmount(page.beyond.balance), hexToStored(page.beyond.address)] : [])],
  )
  // Balances that are not known are below zero in the index, so that none of them is here.
  return rows.map((row) => nativeBalances.decode(row, RANKED) as RankKey)
}

const RANKED = ['balance', 'address'] as const

export function countNativeHolders(reader: Reader, atMost: number): Promise<number> {
  const parameters = createParameters()
  const conditions = [`balance > ${parameters.add(AMOUNT_ZERO)}`]
  return countOf(reader, { table: 'native_balances', conditions, parameters }, atMost)
}

/** By the primary key. */
const BALANCES = listStatement(
  (marks) => `select ${nativeBalances.select()} from native_balances where address in (${marks})`,
)

/** With the height of the last change; addresses without a row are left out. */
export async function nativeBalancesOf(
  queries: Queries,
  addresses: readonly Hex[],
): Promise<Map<Hex, NativeBalanceRow>> {
  const rows = await rowsInList(queries, BALANCES, addresses.map(hexToStored))
  return new Map(rows.map((row) => nativeBalances.decode(row)).map((row) => [row.address, row]))
}

/** By primary keys. */
const BALANCES_BEFORE = listStatement(
  (marks) => `
    select ${nativeHistory.select(undefined, 'h')}
    from native_balances c
    join native_history h on h.address = c.address and h.height = (
      select max(l.height) from native_history l where l.address = c.address and l.height < $1
    )
    where c.address in (${marks})`,
  1,
)

/** The same for the chain before a height. */
export async function nativeBalancesBefore(
  queries: Queries,
  addresses: readonly Hex[],
  height: number,
): Promise<Map<Hex, NativeBalanceRow>> {
  const rows = await rowsInList(queries, BALANCES_BEFORE, addresses.map(hexToStored), [height])
  return new Map(rows.map((row) => nativeHistory.decode(row)).map((row) => [row.address, row]))
}
