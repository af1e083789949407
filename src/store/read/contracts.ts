import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import type { ContractRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { ACTIVITY_KINDS, contracts, FROM, nativeBalances, TO } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import { listStatement, rowsInList } from './page.ts'

export type ContractCreation = ContractRow & {
  /** Null where the creation is not in the index. */
  readonly transactionHash: Hex | null
  readonly timestampMs: number
}

/** Which of these addresses are contracts. */
export async function contractsAmong(reader: Reader, addresses: readonly Hex[]): Promise<Set<Hex>> {
  const { cache } = reader
  const found = new Set<Hex>()
  const unknown = addresses.filter((address) => {
    const isContract = cache?.isContract(address)
    if (isContract) found.add(address)
    return isContract === undefined
  })
  if (unknown.length === 0) return found
  for (const { address } of await knownContracts(reader, unknown)) found.add(address)
  if (cache) for (const address of unknown) cache.setIsContract(address, found.has(address))
  return found
}

/**
 * Of addresses that are not known as contracts, those that may have been one all the same, created and destroyed in calls that are not
 * known: all but those that sent a transaction lately, which are accounts.
 */
export async function possibleContracts(queries: Queries, addresses: readonly Hex[]): Promise<Set<Hex>> {
  const possible = new Set(addresses)
  for (const row of await rowsInList(queries, SENDERS, addresses.map(hexToStored))) {
    possible.delete(nativeBalances.decode(row, ['address']).address)
  }
  return possible
}

/** Of this many transactions of an address, the newest, one must be its own. */
const LATELY = 50
const TRANSACTION = ACTIVITY_KINDS.indexOf('transaction')

/** Whoever sends has a balance. By primary keys. */
const SENDERS = listStatement(
  (marks) => `
    select ${nativeBalances.select(['address'], 'b')}
    from native_balances b
    where b.address in (${marks}) and exists (
      select 1
      from activity a
      where a.address = b.address and a.kind = ${TRANSACTION} and a.role in (${FROM}, ${FROM + TO}) and a.pos >= coalesce((
        select pos
        from activity
        where address = b.address and kind = ${TRANSACTION}
        order by pos desc
        limit 1 offset ${LATELY - 1}
      ), 0)
    )`,
)

/** Which of these addresses were contracts before a height. */
export async function contractsBefore(queries: Queries, addresses: readonly Hex[], height: number): Promise<Set<Hex>> {
  const known = await knownContracts(queries, addresses)
  return new Set(known.filter((contract) => contract.height < height).map(({ address }) => address))
}

/** By the primary key. */
const KNOWN = listStatement(
  (marks) => `select ${contracts.select(['address', 'height'])} from contracts where address in (${marks})`,
)

async function knownContracts(queries: Queries, addresses: readonly Hex[]) {
  const rows = await rowsInList(queries, KNOWN, addresses.map(hexToStored))
  return rows.map((row) => contracts.decode(row, ['address', 'height']))
}

/** By primary keys. */
const CREATIONS = listStatement(
  (marks) => `
    select ${contracts.select(undefined, 'c')}, lower(hex(x.hash)) as hash, b.timestamp_ms as time
    from contracts c
    join blocks b on b.height = c.height
    left join transactions x on x.pos = c.tx_pos
    where c.address in (${marks})`,
)

/** Those of the addresses that are contracts, with who created them and when. */
export async function contractCreations(
  queries: Queries,
  addresses: readonly Hex[],
): Promise<Map<Hex, ContractCreation>> {
  const rows = await rowsInList(queries, CREATIONS, addresses.map(hexToStored))
  return new Map(
    rows.map((row) => {
      const contract = contracts.decode(row)
      const hash = row.hash as string
      const transactionHash: Hex | null = hash === '' ? null : `0x${hash}`
      return [contract.address, { ...contract, transactionHash, timestampMs: row.time as number }]
    }),
  )
}
