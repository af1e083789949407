// Contracts whose source was verified: one row for each address, valid for the code whose hash stands in it.
import type { Hex } from '../../chain/bytes/hex.ts'
import { incrementChainVersion } from '../chain/chain-notes.ts'
import type { Queries, Value } from '../engine/database.ts'
import type { Page } from '../read/page.ts'
import { bytes, createTable, hexToStored, integer, oneOf, text, upsertAssignments } from '../schema/table.ts'

/** From the weaker to the stronger; a match is replaced only by a stronger one. */
export const MATCH_RANKS = ['partial', 'exact'] as const
export type MatchRank = (typeof MATCH_RANKS)[number]

export type VerifiedRow = {
  readonly address: Hex
  /** Keccak-256 of the runtime code. */
  readonly codeHash: Hex
  readonly rank: MatchRank
  readonly name: string
  readonly language: string
  readonly compiler: string
  readonly verifiedMs: number
  /** The job that verified it. */
  readonly guid: string
  /** JSON: source, settings, ABI and the rest of the match. */
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

/** Replaces a weaker match, or one for code that is no longer at the address; otherwise changes nothing. */
export async function writeVerified(queries: Queries, row: VerifiedRow): Promise<void> {
  await queries.insert(
    verified,
    [verified.encode(row)],
    `(address) do update set ${upsertAssignments(verified, ['address'])}
      where excluded.rank > verified_contracts.rank
        or excluded.code_hash <> verified_contracts.code_hash`,
  )
  // Cached answers about contracts must be read again.
  await incrementChainVersion(queries)
}

/** By the primary key. */
export async function verifiedAt(queries: Queries, address: Hex): Promise<VerifiedRow | undefined> {
  const [row] = await queries.all(
    `select ${verified.select()}
    from verified_contracts
    where address = $1`,
    [hexToStored(address)],
  )
  return row && verified.decode(row)
}

/** The best match for this code, the earliest among equals. Index verified_contracts_code. */
export async function verifiedCode(queries: Queries, codeHash: Hex): Promise<VerifiedRow | undefined> {
  const [row] = await queries.all(
    `select ${verified.select()}
    from verified_contracts
    where code_hash = $1
    order by rank desc, verified_ms, address
    limit 1`,
    [hexToStored(codeHash)],
  )
  return row && verified.decode(row)
}

/** A verified contract as lists show it: without its source. */
export type VerifiedListItem = {
  readonly address: Hex
  readonly rank: MatchRank
  readonly name: string
  readonly language: string
  readonly compiler: string
  readonly verifiedMs: number
}

const LIST_FIELDS = [
  'address',
  'rank',
  'name',
  'language',
  'compiler',
  'verifiedMs',
] as const satisfies (keyof VerifiedRow)[]

export type VerifiedFilter = {
  readonly language?: string | undefined
  readonly rank?: MatchRank | undefined
  /** Prefix of the name, in any case. */
  readonly name?: string | undefined
}

/** Newest first. Index verified_contracts_newest. */
export async function verifiedContracts(
  queries: Queries,
  { language, rank, name }: VerifiedFilter,
  { limit, offset = 0, beyond }: Page<Pick<VerifiedListItem, 'verifiedMs' | 'address'>>,
): Promise<VerifiedListItem[]> {
  const values: Value[] = []
  const conditions: string[] = []
  const add = (condition: (mark: string) => string, value: Value): void => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  if (language !== undefined) add((mark) => `language = ${mark}`, language)
  if (rank !== undefined) add((mark) => `rank = ${mark}`, MATCH_RANKS.indexOf(rank))
  if (name !== undefined) add((mark) => `lower(name) like ${mark} escape '!'`, `${likeText(name.toLowerCase())}%`)
  if (beyond !== undefined) {
    values.push(beyond.verifiedMs, hexToStored(beyond.address))
    conditions.push(`(verified_ms, address) < ($${values.length - 1}, $${values.length})`)
  }
  const rows = await queries.all(
    `select ${verified.select(LIST_FIELDS)}
    from verified_contracts
    ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
    order by verified_ms desc, address desc
    limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, offset],
  )
  return rows.map((row) => verified.decode(row, LIST_FIELDS))
}

/** Other contracts with the same runtime code. Index verified_contracts_code. */
export async function verifiedWithSameCode(
  queries: Queries,
  codeHash: Hex,
  { except, limit }: { except: Hex; limit: number },
): Promise<VerifiedListItem[]> {
  const rows = await queries.all(
    `select ${verified.select(LIST_FIELDS)}
    from verified_contracts
    where code_hash = $1 and address <> $2
    order by rank desc, verified_ms
    limit $3`,
    [hexToStored(codeHash), hexToStored(except), limit],
  )
  return rows.map((row) => verified.decode(row, LIST_FIELDS))
}

function likeText(name: string): string {
  return name.replace(/[!%_]/g, (character) => `!${character}`)
}
