import type { Hex } from '../../chain/hex.ts'
import type { Queries } from '../database.ts'
import type { ContractRow } from '../rows.ts'
import { hexToStored } from '../table.ts'
import { contracts } from '../tables.ts'
import type { BlockStamp } from './blocks.ts'
import { inList, inLists } from './page.ts'

export type ContractCreation = ContractRow & {
  /** Null where the creation was not seen. */
  readonly transactionHash: Hex | null
  readonly timestampMs: BlockStamp['timestampMs']
}

/** Which of these addresses are contracts; `below` looks at the chain before that height. */
export const contractsAmong = async (
  queries: Queries,
  addresses: readonly Hex[],
  below = Number.MAX_SAFE_INTEGER,
): Promise<Set<Hex>> => {
  const rows = await inLists(addresses, (piece) => {
    const { marks, values } = inList(piece.map(hexToStored))
    return queries.all(
      `select ${contracts.select(['address', 'height'])} from contracts where address in (${marks})`,
      values,
    )
  })
  const found = rows.map((row) => contracts.decode(row, ['address', 'height']))
  return new Set(found.filter(({ height }) => height < below).map(({ address }) => address))
}

/** Those of the addresses that are contracts, with who created them and when. */
export const contractCreations = async (
  queries: Queries,
  addresses: readonly Hex[],
): Promise<Map<Hex, ContractCreation>> => {
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
