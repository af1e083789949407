// Search by the beginning of a name, in any case: tokens by symbol and name, verified contracts by name. Along the indexes of
// migration 0009.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries, Value } from '../engine/database.ts'
import { hexToStored } from '../schema/table.ts'
import { listStatement, rowsInList } from './page.ts'
import { type Token, tokensByAddress } from './tokens.ts'

/** Of more names with the same beginning, the first in the alphabet are read. */
const MOST_CANDIDATES = 500

/** Whole matches first, then by holders. Indexes tokens_symbol and tokens_name, then the keys of both tables. */
export async function tokensNamed(queries: Queries, text: string, limit: number): Promise<Token[]> {
  const rows = await queries.all<{ address: string }>(
    `select lower(hex(x.address)) as address
     from (
       ${addressesNamed('tokens', 'symbol')}
       union
       ${addressesNamed('tokens', 'name')}
     ) x
     join tokens t on t.address = x.address
     left join token_counts c on c.token = x.address
     order by
       case when $3 in (lower(t.symbol), lower(t.name)) then 0 else 1 end,
       coalesce(c.holders, 0) desc,
       x.address
     limit ${Math.trunc(limit)}`,
    [...prefixBounds(text), text.toLowerCase()],
  )
  const addresses = rows.map(({ address }): Hex => `0x${address}`)
  const found = await tokensByAddress(queries, addresses)
  return addresses.flatMap((address) => found.get(address) ?? [])
}

export type NamedContract = { readonly address: Hex; readonly name: string }

/** By the primary key. */
const NAMES = listStatement(
  (marks) => `
    select lower(hex(address)) as address, name
    from verified_contracts
    where address in (${marks})`,
)

/** The names of those addresses that are verified contracts. */
export async function contractNames(queries: Queries, addresses: readonly Hex[]): Promise<NamedContract[]> {
  const rows = await rowsInList<{ address: string; name: string }>(queries, NAMES, addresses.map(hexToStored))
  return rows.map(({ address, name }) => ({ address: `0x${address}`, name }))
}

/** Whole matches first, then the newest. Index verified_contracts_name, then the primary key. */
export async function contractsNamed(queries: Queries, text: string, limit: number): Promise<NamedContract[]> {
  const rows = await queries.all<{ address: string; name: string }>(
    `select lower(hex(v.address)) as address, v.name
     from (${addressesNamed('verified_contracts', 'name')}) x
     join verified_contracts v on v.address = x.address
     order by
       case when lower(v.name) = $3 then 0 else 1 end,
       v.verified_ms desc,
       v.address
     limit ${Math.trunc(limit)}`,
    [...prefixBounds(text), text.toLowerCase()],
  )
  return rows.map(({ address, name }) => ({ address: `0x${address}`, name }))
}

const LONGEST_INDEXED = 64

/** The expression that is indexed. */
function indexed(column: string): string {
  return `hex(lower(substr(${column}, 1, ${LONGEST_INDEXED})))`
}

/** Along the index, a name that is the text itself comes before every longer one. `$1` and `$2` are the bounds. */
function addressesNamed(table: string, column: string): string {
  return `
    select * from (
      select address
      from ${table}
      where ${indexed(column)} >= $1 and ${indexed(column)} < $2
      order by ${indexed(column)}
      limit ${MOST_CANDIDATES}
    ) x`
}

function prefixBounds(text: string): Value[] {
  const beginning = [...text.toLowerCase()].slice(0, LONGEST_INDEXED).join('')
  const digits = Buffer.from(beginning).toString('hex').toUpperCase()
  // G comes after every hex digit.
  return [digits, `${digits}G`]
}
