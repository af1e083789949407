// Names that sources gave to verified contracts.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { hexToStored } from '../schema/table.ts'
import { addressesNamed, prefixBounds } from './name-prefix.ts'
import { inList, inLists } from './page.ts'

/** Of more contracts that begin alike, the first in the alphabet are looked at. */
const MOST_CANDIDATES = 500

export type NamedContract = { readonly address: Hex; readonly name: string }

/** Of those among these addresses that are verified, all asked for at once. By the primary key. */
export async function contractNames(queries: Queries, addresses: readonly Hex[]): Promise<NamedContract[]> {
  const rows = await inLists(addresses.map(hexToStored), (piece) => {
    const { marks, values } = inList(piece)
    return queries.all<{ address: string; name: string }>(
      `select lower(hex(address)) as address, name from verified_contracts where address in (${marks})`,
      values,
    )
  })
  return rows.map(({ address, name }) => ({ address: `0x${address}`, name }))
}

/** Contracts whose name begins with the text, in any case; whole matches first, then the newest. */
export async function contractsNamed(queries: Queries, text: string, limit: number): Promise<NamedContract[]> {
  const rows = await queries.all<{ address: string; name: string }>(
    // Index verified_contracts_name, then the key.
    `select lower(hex(v.address)) as address, v.name from (${addressesNamed('verified_contracts', 'name', MOST_CANDIDATES)}) x
     join verified_contracts v on v.address = x.address
     order by case when lower(v.name) = $3 then 0 else 1 end, v.verified_ms desc, v.address limit ${Math.trunc(limit)}`,
    [...prefixBounds(text), text.toLowerCase()],
  )
  return rows.map(({ address, name }) => ({ address: `0x${address}`, name }))
}
