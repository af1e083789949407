// What comparing tokens with their contracts reads from the store: which token is next, which holders to ask about, and who may be a holder.
import type { Hex } from '../../chain/bytes/hex.ts'
import { addressesInCalldata, MOST_WORDS } from '../../chain/tokens/calldata-addresses.ts'
import type { Queries } from '../engine/database.ts'
import { hexToStored } from '../schema/table.ts'
import {
  ACTIVITY_KINDS,
  type TokenBalanceRow,
  type TokenItemRow,
  tokenBalances,
  tokenItems,
  transfers,
} from '../schema/tables.ts'
import { CHECK_STATES, type CheckState, NOT_READ, type TokenCheckRow, tokenChecks } from '../schema/token-checks.ts'

/** The tokens whose time has come, those that wait longest first. Index token_checks_due. */
export async function tokensDue(queries: Queries, nowMs: number, limit: number): Promise<TokenCheckRow[]> {
  const rows = await queries.all(
    `select ${tokenChecks.select()}
     from token_checks
     where due_ms <= $1
     order by due_ms, token
     limit ${Math.trunc(limit)}`,
    [nowMs],
  )
  return rows.map((row) => tokenChecks.decode(row))
}

/** More waiting tokens than this are not counted. */
export const MOST_COUNTED = 10_000

/** Index token_checks_due, then a scan of the index token_checks_source. */
export async function checkCounts(
  queries: Queries,
  nowMs: number,
): Promise<{ waiting: number; states: Record<CheckState, number> }> {
  const [row] = await queries.all<{ waiting: number }>(
    `select count(*) as waiting
     from (select 1 from token_checks where due_ms <= $1 limit ${MOST_COUNTED}) x`,
    [nowMs],
  )
  const counted = await queries.all<{ source: number; tokens: number }>(
    `select source, count(*) as tokens
     from token_checks
     group by source`,
  )
  const states = Object.fromEntries(CHECK_STATES.map((state) => [state, 0])) as Record<CheckState, number>
  for (const { source, tokens } of counted) states[CHECK_STATES[source]!] = tokens
  return { waiting: row!.waiting, states }
}

export type KnownHolder = Omit<TokenBalanceRow, 'token'>

const RICHEST = 5
const POOREST = 3
const RECENT_TRANSFERS = 6

/**
 * Holders whose sums are compared with the contract: the richest, the poorest (a sum below zero is surely wrong), parties of the last
 * transfers, and those that follow a random address. Somebody who has nothing left counts as a holder of 0.
 * Indexes token_balances_rank and transfers_token, and the primary key.
 */
export async function holdersToCompare(
  queries: Queries,
  { token, start, limit }: { token: Hex; start: Hex; limit: number },
): Promise<KnownHolder[]> {
  const rowsBy = async (rest: string, values: readonly Uint8Array[] = []) =>
    (
      await queries.all(
        `select ${tokenBalances.select()}
         from token_balances
         where token = $1 ${rest}`,
        [hexToStored(token), ...values],
      )
    ).map((row) => tokenBalances.decode(row))
  const recent = await queries.all(
    `select ${transfers.select(['sender', 'recipient'])}
     from transfers
     where token = $1
     order by pos desc
     limit ${RECENT_TRANSFERS}`,
    [hexToStored(token)],
  )
  const parties = recent
    .map((row) => transfers.decode(row, ['sender', 'recipient']))
    .flatMap(({ sender, recipient }) => [sender, recipient])
    .filter((address) => !ZERO.test(address))
  const keys = [...new Set(parties)].map((address) => [hexToStored(token), hexToStored(address)])
  const held = await queries.lookup(tokenBalances, tokenBalances.select(), ['token', 'address'], keys)
  const found = [
    ...parties.map((address) => ({ address, balance: 0n, readHeight: null })),
    ...held.map((row) => tokenBalances.decode(row)),
    ...(await rowsBy(`order by balance desc, address desc limit ${RICHEST}`)),
    ...(await rowsBy(`order by balance, address limit ${POOREST}`)),
    ...(await rowsBy(`and address >= $2 order by address limit ${Math.trunc(limit)}`, [hexToStored(start)])),
    ...(await rowsBy(`order by address limit ${Math.trunc(limit)}`)),
  ]
  const byAddress = new Map<Hex, KnownHolder>()
  for (const { address, balance, readHeight } of found) {
    const isFull = byAddress.size >= limit && !byAddress.has(address)
    if (!isFull) byAddress.set(address, { address, balance, readHeight })
  }
  return [...byAddress.values()]
}

const ZERO = /^0x0{40}$/

/** Those that were read longest ago; the ones that must be read come first. Index token_balances_read. */
export async function holdersToRead(queries: Queries, token: Hex, limit: number): Promise<KnownHolder[]> {
  const rows = await queries.all(
    `select ${tokenBalances.select()}
     from token_balances
     where token = $1 and read_height is not null
     order by read_height, address
     limit ${Math.trunc(limit)}`,
    [hexToStored(token)],
  )
  return rows.map((row) => tokenBalances.decode(row))
}

/** Whether balances remain that must be read. Index token_balances_read. */
export async function hasUnreadHolders(queries: Queries, token: Hex, readSince: number): Promise<boolean> {
  const rows = await queries.all(
    `select 1 as found
     from token_balances
     where token = $1 and read_height >= ${NOT_READ} and read_height < $2
     limit 1`,
    [hexToStored(token), readSince],
  )
  return rows.length > 0
}

/** Primary key of token_items. */
export async function itemsOfHolder(
  queries: Queries,
  { token, address, limit }: { token: Hex; address: Hex; limit: number },
): Promise<TokenItemRow[]> {
  const rows = await queries.all(
    `select ${tokenItems.select()}
     from token_items
     where address = $1 and token = $2
     order by token_id
     limit ${Math.trunc(limit)}`,
    [hexToStored(address), hexToStored(token)],
  )
  return rows.map((row) => tokenItems.decode(row))
}

const SUMMED_AT_ONCE = 1_000

/** The sum of all balances of a token, in pieces along the primary key; undefined with more than `most` holders. */
export async function sumOfBalances(queries: Queries, token: Hex, most: number): Promise<bigint | undefined> {
  let sum = 0n
  let after: Hex = '0x'
  for (let read = 0; read <= most; read += SUMMED_AT_ONCE) {
    const rows = await queries.all(
      `select ${tokenBalances.select()}
       from token_balances
       where token = $1 and address > $2
       order by address
       limit ${SUMMED_AT_ONCE}`,
      [hexToStored(token), hexToStored(after)],
    )
    const decoded = rows.map((row) => tokenBalances.decode(row))
    for (const { balance } of decoded) sum += balance
    if (decoded.length < SUMMED_AT_ONCE) return sum
    after = decoded.at(-1)!.address
  }
  return undefined
}

export type Walked = {
  readonly addresses: readonly Hex[]
  /** Where to go on; 0 at the end. */
  readonly walkedPos: number
}

/** The selector and its arguments, as far as they are searched for addresses. */
const INPUT_BYTES = 4 + 32 * MOST_WORDS

/**
 * Addresses that may hold a token, from a piece of the chain below a position: parties of its transfers, callers of the contract, and
 * whom their calls name. Index transfers_token and the primary keys of activity, internals and transactions.
 */
export async function addressesNamed(queries: Queries, token: Hex, below: number, limit: number): Promise<Walked> {
  const stored = hexToStored(token)
  const page = `order by pos desc limit ${Math.trunc(limit)}`
  const moved = await queries.all<{ pos: number; sender: string; recipient: string }>(
    `select pos, lower(hex(sender)) as sender, lower(hex(recipient)) as recipient
     from transfers
     where token = $1 and pos < $2 ${page}`,
    [stored, below],
  )
  const called = await queries.all<Call>(
    `select a.pos as pos, ${CALLER}
     from (
       select pos from activity
       where address = $1 and kind = ${ACTIVITY_KINDS.indexOf('transaction')} and pos < $2 ${page}
     ) a
     join transactions x on x.pos = a.pos`,
    [stored, below],
  )
  const calledInside = await queries.all<Call & { caller: string }>(
    `select a.pos as pos, lower(hex(i.sender)) as caller, ${CALLER}
     from (
       select pos from activity
       where address = $1 and kind = ${ACTIVITY_KINDS.indexOf('internal')} and pos < $2 ${page}
     ) a
     join internals i on i.pos = a.pos
     join transactions x on x.pos = i.tx_pos`,
    [stored, below],
  )
  // Of the three lists the one that reaches least far says where this piece ends.
  const ends = [moved, called, calledInside]
    .filter(({ length }) => length >= limit)
    .map((rows) => Math.min(...rows.map(({ pos }) => pos)))
  const walkedPos = Math.max(0, ...ends)
  const isWalked = ({ pos }: { pos: number }) => pos >= walkedPos
  const found = new Set<Hex>()
  for (const { sender, recipient } of moved.filter(isWalked)) found.add(`0x${sender}`).add(`0x${recipient}`)
  for (const { caller } of calledInside.filter(isWalked)) found.add(`0x${caller}`)
  for (const { sender, input } of [...called, ...calledInside].filter(isWalked)) {
    found.add(`0x${sender}`)
    for (const address of addressesInCalldata(`0x${input}`)) found.add(address)
  }
  return { addresses: [...found].filter((address) => !ZERO.test(address)), walkedPos }
}

type Call = { pos: number; sender: string; input: string }

/** Creations, and input that is not whole words, are code: any word of it may look like an address. */
const CALLER = `
  lower(hex(x.sender)) as sender,
  case
    when x.recipient is null or (length(x.input) - 4) % 32 <> 0 then ''
    else lower(hex(substr(x.input, 1, ${INPUT_BYTES})))
  end as input`
