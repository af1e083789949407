import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries, Row } from '../engine/database.ts'
import type { MarketRow, TokenKind, TokenRow } from '../schema/rows.ts'
import { amount, hexToStored, nullable } from '../schema/table.ts'
import { market, type TokenCountRow, tokenCounts, tokens } from '../schema/tables.ts'
import { type TokenCheckRow, tokenChecks } from '../schema/token-checks.ts'
import type { Reader } from './chain-reader.ts'
import { countOf, createParameters, limited, listStatement, type Page, rowsInList } from './page.ts'

export type Token = TokenRow &
  Omit<TokenCountRow, 'token'> & {
    /** As it was last read; null where it never was, or where the contract refused. */
    readonly supply: bigint | null
    /** What is known of its balances. */
    readonly check: TokenCheck
    readonly market: MarketRow | null
  }

export type TokenCheck = Pick<TokenCheckRow, (typeof CHECK)[number]>

export type TokenFilter = {
  readonly kind: TokenKind
  /** Both excluded. */
  readonly issuedAfterMs?: number | undefined
  readonly issuedBeforeMs?: number | undefined
}

/** The key of the list: market cap or volume, then holders, then address. */
export type TokenRank = { readonly figure: number; readonly holders: number; readonly address: Hex }

/** By market cap or by volume, the highest first, then by holders. Indexes tokens_market_cap and tokens_volume. */
export async function tokenList(
  queries: Queries,
  { orderBy = 'marketCap', ...filter }: TokenFilter & { readonly orderBy?: 'marketCap' | 'volume24h' },
  page: Page<TokenRank>,
): Promise<Token[]> {
  const { conditions, parameters } = ofKind(filter)
  const key = orderBy === 'marketCap' ? 'market_cap' : 'volume24h'
  if (page.beyond) {
    const { figure, holders, address } = page.beyond
    const marks = [figure, holders, hexToStored(address)].map(parameters.add)
    conditions.push(`(${key}, holders, address) < (${marks.join(', ')})`)
  }
  const rows = await queries.all<{ address: string }>(
    `select lower(hex(address)) as address
     from (
       select address from tokens
       where ${conditions.join(' and ')}
       order by ${key} desc, holders desc, address desc
       ${limited(page)}
     ) x`,
    parameters.values,
  )
  const addresses = rows.map(({ address }): Hex => `0x${address}`)
  const found = await tokensByAddress(queries, addresses)
  return addresses.flatMap((address) => found.get(address) ?? [])
}

export function countTokens(reader: Reader, filter: TokenFilter): Promise<number> {
  return countOf(reader, ofKind(filter))
}

const COUNTS = ['transfers', 'holders', 'total'] as const
const CHECK = ['source', 'height', 'readSince', 'supply'] as const

/** By primary keys. */
const TOKENS = listStatement(
  (marks) => `
    select ${tokens.select(undefined, 't')},
      ${market.select(undefined, 'm', 'market')},
      ${tokenCounts.select(COUNTS, 'c')},
      ${tokenChecks.select(CHECK, 'k', 'check')},
      lower(hex(s.supply)) as supply,
      s.height as "supplyHeight"
    from tokens t
    left join token_counts c on c.token = t.address
    left join token_checks k on k.token = t.address
    left join token_supplies s on s.token = t.address and s.height = (
      select max(height) from token_supplies
      where token = t.address
    )
    left join token_market m on m.token = t.address
    where t.address in (${marks})`,
)

export async function tokensByAddress(queries: Queries, addresses: readonly Hex[]): Promise<Map<Hex, Token>> {
  const rows = await rowsInList(queries, TOKENS, addresses.map(hexToStored))
  return new Map(rows.map((row) => [`0x${row.address as string}`, decoded(row)]))
}

/** By the primary key. */
const TOKEN_ROWS = listStatement((marks) => `select ${tokens.select()} from tokens where address in (${marks})`)

/** Those of these addresses that are known as tokens; `below` looks at the chain before that height. */
export async function tokensAmong(
  queries: Queries,
  addresses: readonly Hex[],
  below = Number.MAX_SAFE_INTEGER,
): Promise<TokenRow[]> {
  const rows = await rowsInList(queries, TOKEN_ROWS, addresses.map(hexToStored))
  return rows.map((row) => tokens.decode(row)).filter(({ height }) => height < below)
}

function decoded(row: Row): Token {
  const check: TokenCheck = row.checksource === null ? UNCHECKED : tokenChecks.decode(row, CHECK, 'check')
  const supply = nullable(amount).decode(row.supply!)
  const isCheckNewer = check.supply !== null && check.height >= ((row.supplyHeight as number | null) ?? -1)
  return {
    ...tokens.decode(row),
    transfers: (row.transfers as number | null) ?? 0,
    holders: (row.holders as number | null) ?? 0,
    total: row.transfers === null ? 0n : nullable(amount).decode(row.total!),
    check,
    supply: isCheckNewer ? check.supply : supply,
    market: row.marketmarketCap === null ? null : market.decode(row, undefined, 'market'),
  }
}

const UNCHECKED: TokenCheck = { source: 'unconfirmed', height: -1, readSince: 0, supply: null }

function ofKind({ kind, issuedAfterMs, issuedBeforeMs }: TokenFilter) {
  const parameters = createParameters()
  const conditions = [`kind = ${parameters.add(kind)}`]
  if (issuedAfterMs !== undefined) conditions.push(`issued_ms > ${parameters.add(issuedAfterMs)}`)
  if (issuedBeforeMs !== undefined) conditions.push(`issued_ms < ${parameters.add(issuedBeforeMs)}`)
  return { table: 'tokens', conditions, parameters }
}
