// Names that sources gave to verified contracts.
import type { Hex } from '../../chain/hex.ts'
import type { Queries } from '../database.ts'
import { hexToStored } from '../table.ts'
import { inList, inLists } from './page.ts'

export type NamedContract = { readonly address: Hex; readonly name: string }

/** Of those among these addresses that are verified, all asked for at once. By the primary key. */
export const contractNames = async (queries: Queries, addresses: readonly Hex[]): Promise<NamedContract[]> => {
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
export const contractsNamed = async (queries: Queries, text: string, limit: number): Promise<NamedContract[]> => {
  const plain = text.toLowerCase()
  const rows = await queries.all<{ address: string; name: string }>(
    // Reads the table of verified contracts once, and of each row only its beginning.
    `select lower(hex(address)) as address, name from verified_contracts where lower(name) like $1 escape '!'
     order by case when lower(name) = $2 then 0 else 1 end, verified_ms desc, address limit ${Math.trunc(limit)}`,
    [`${plain.replace(/[!%_]/g, '!$&')}%`, plain],
  )
  return rows.map(({ address, name }) => ({ address: `0x${address}`, name }))
}
