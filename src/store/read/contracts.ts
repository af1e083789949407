import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import type { ContractRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { contracts } from '../schema/tables.ts'
import type { BlockStamp } from './blocks.ts'
import { memoryOf } from './chain-reader.ts'
import { endingInList, inList, inLists } from './page.ts'

export type ContractCreation = ContractRow & {
  /** Null where the creation was not seen. */
  readonly transactionHash: Hex | null
  readonly timestampMs: BlockStamp['timestampMs']
}

/** Which of these addresses are contracts; `below` looks at the chain before that height. */
export async function contractsAmong(queries: Queries, addresses: readonly Hex[], below?: number): Promise<Set<Hex>> {
  const memory = below === undefined ? memoryOf(queries) : undefined
  if (!memory) {
    const known = await knownContracts(queries, addresses)
    return new Set(known.filter(({ height }) => height < (below ?? Infinity)).map(({ address }) => address))
  }
  const { lasting, passing } = memory
  const found = new Set(addresses.filter((address) => lasting.contracts.get(address)))
  const unknown = addresses.filter((address) => !found.has(address) && !passing.strangers.get(address))
  if (unknown.length === 0) return found
  for (const { address } of await knownContracts(queries, unknown)) {
    found.add(address)
    lasting.contracts.set(address, true)
  }
  for (const address of unknown) if (!found.has(address)) passing.strangers.set(address, true)
  return found
}

async function knownContracts(queries: Queries, addresses: readonly Hex[]) {
  const rows = await inLists(addresses, (piece) => {
    const { marks, values } = inList(piece.map(hexToStored))
    return queries.all(KNOWN(marks), values)
  })
  return rows.map((row) => contracts.decode(row, ['address', 'height']))
}

const KNOWN = endingInList(`select ${contracts.select(['address', 'height'])} from contracts where address`)

/** Those of the addresses that are contracts, with who created them and when. */
export async function contractCreations(
  queries: Queries,
  addresses: readonly Hex[],
): Promise<Map<Hex, ContractCreation>> {
  const rows = await inLists(addresses, (piece) => {
    const { marks, values } = inList(piece.map(hexToStored))
    return queries.all(
      `select ${contracts.select(undefined, 'c')}, lower(hex(x.hash)) as hash, b.timestamp_ms as time from contracts c join blocks b on b.height = c.height left join transactions x on x.pos = c.tx_pos where c.address in (${marks})`,
      values,
    )
  })
  return new Map(
    rows.map((row) => {
      const contract = contracts.decode(row)
      const hash = row.hash as string
      const transactionHash: Hex | null = hash === '' ? null : `0x${hash}`
      return [contract.address, { ...contract, transactionHash, timestampMs: row.time as number }]
    }),
  )
}
