// What was proved of contracts: one row an address, bound to the hash of the code that it was proved for.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { incrementChainVersion } from '../engine/notes.ts'
import { bytes, createTable, hexToStored, integer, oneOf, text, upsertAssignments } from '../schema/table.ts'

/** From the weaker to the stronger; only a stronger one takes another's place. */
export const MATCH_RANKS = ['partial', 'exact'] as const
export type MatchRank = (typeof MATCH_RANKS)[number]

export type VerifiedRow = {
  readonly address: Hex
  /** Keccak of the runtime code. */
  readonly codeHash: Hex
  readonly rank: MatchRank
  readonly name: string
  readonly language: string
  readonly compiler: string
  readonly verifiedMs: number
  /** The job that proved it. */
  readonly guid: string
  /** JSON: source, settings, ABI and all else. */
  readonly detail: string
}

const verified = createTable<VerifiedRow>('verified_contracts', {
  address: bytes,
  codeHash: bytes,
  rank: oneOf(MATCH_RANKS),
  name: text,
  language: text,
  compiler: text,
  verifiedMs: integer,
  guid: text,
  detail: text,
})

/** In place of a weaker match, or of one for code that is no longer there; otherwise nothing changes. */
export async function writeVerified(queries: Queries, row: VerifiedRow): Promise<void> {
  await queries.insert(
    verified,
    [verified.encode(row)],
    `(address) do update set ${upsertAssignments(verified, ['address'])} where excluded.rank > verified_contracts.rank or excluded.code_hash <> verified_contracts.code_hash`,
  )
  // Whoever keeps answers about contracts hears of it.
  await incrementChainVersion(queries)
}

export async function verifiedAt(queries: Queries, address: Hex): Promise<VerifiedRow | undefined> {
  const [row] = await queries.all(`select ${verified.select()} from verified_contracts where address = $1`, [
    hexToStored(address),
  ])
  return row && verified.decode(row)
}

/** The best match for this code, the earliest of equals. Index verified_contracts_code. */
export async function verifiedCode(queries: Queries, codeHash: Hex): Promise<VerifiedRow | undefined> {
  const [row] = await queries.all(
    `select ${verified.select()} from verified_contracts where code_hash = $1 order by rank desc, verified_ms, address limit 1`,
    [hexToStored(codeHash)],
  )
  return row && verified.decode(row)
}
