// Verified contracts as a list, newest first, without their sources.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries, Value } from '../engine/database.ts'
import type { Page } from '../read/page.ts'
import { hexToStored } from '../schema/table.ts'
import { MATCH_RANKS, type MatchRank } from './verification-contracts.ts'

export type VerifiedListItem = {
  readonly address: Hex
  readonly rank: MatchRank
  readonly name: string
  readonly language: string
  readonly compiler: string
  readonly verifiedMs: number
}

export type VerifiedFilter = {
  readonly language?: string | undefined
  readonly rank?: MatchRank | undefined
  /** What the name begins with, in any case. */
  readonly name?: string | undefined
}

const LINE =
  'lower(hex(address)) as "address", rank, name, language, compiler, verified_ms as "verifiedMs" from verified_contracts'

type Stored = { address: string; rank: number; name: string; language: string; compiler: string; verifiedMs: number }

function lineOf({ address, rank, ...rest }: Stored): VerifiedListItem {
  return {
    ...rest,
    address: `0x${address}`,
    rank: MATCH_RANKS[rank]!,
  }
}

/** Index verified_contracts_newest. */
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
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const rows = await queries.all<Stored>(
    `select ${LINE} ${where} order by verified_ms desc, address desc limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, offset],
  )
  return rows.map(lineOf)
}

/** Others with the same runtime code. Index verified_contracts_code. */
export async function verifiedWithSameCode(
  queries: Queries,
  codeHash: Hex,
  { except, limit }: { except: Hex; limit: number },
): Promise<VerifiedListItem[]> {
  const rows = await queries.all<Stored>(
    `select ${LINE} where code_hash = $1 and address <> $2 order by rank desc, verified_ms limit $3`,
    [hexToStored(codeHash), hexToStored(except), limit],
  )
  return rows.map(lineOf)
}

function likeText(name: string): string {
  return name.replace(/[!%_]/g, (character) => `!${character}`)
}
