// Writes what token contracts answered: the verdict about each token, its names, and balances that were read from the contract.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database, Queries } from '../engine/database.ts'
import { type BlockStamp, blockHashAt } from '../read/chain-state.ts'
import { listStatement, runInList } from '../read/page.ts'
import { hasUnreadHolders, type KnownHolder } from '../read/token-checks.ts'
import type { TokenRow } from '../schema/rows.ts'
import { hexToStored, upsertAssignments } from '../schema/table.ts'
import { type TokenItemRow, tokenBalances, tokenCounts, tokenItems } from '../schema/tables.ts'
import { CHECK_STATES, type CheckState, type TokenCheckRow, tokenChecks } from '../schema/token-checks.ts'
import { incrementChainVersion } from './chain-notes.ts'
import { addHoldersToRead } from './token-activity.ts'
import { addToCounts, type ChangedBalance } from './token-sums.ts'

export type TokenReading = {
  /** As it was when the contract was asked. */
  readonly before: TokenCheckRow
  readonly source: 'unconfirmed' | 'events' | 'reading'
  readonly supply: bigint | null
  /** The part of the supply that the zero address has, which is no holder. */
  readonly burnt: bigint
  readonly checkedMs: number
  readonly walkedPos: number
  readonly readSince: number
  /** When to ask next; `completeMs` where nothing is left to read. */
  readonly againMs: { readonly reading: number; readonly complete: number; readonly active: number }
  /** Only what the contract answered; the rest stays. */
  readonly names: Partial<Pick<TokenRow, 'name' | 'symbol' | 'decimals'>>
  readonly holders: readonly HolderReading[]
  /** Addresses that may be holders; they are read next. */
  readonly found: readonly Hex[]
}

export type HolderReading = {
  /** As it was when the contract was asked: a balance that changed meanwhile is not written. */
  readonly before: KnownHolder
  readonly balance: bigint
  /** Ids of an NFT that the contract answered differently. */
  readonly items: readonly Pick<TokenItemRow, 'address' | 'tokenId' | 'balance'>[]
}

/** Returns false, and writes nothing, where a reorg has replaced the block that the contracts were asked at. */
export function writeTokenReadings(
  database: Database,
  { height, hash }: Pick<BlockStamp, 'height' | 'hash'>,
  readings: readonly TokenReading[],
): Promise<boolean> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    if ((await blockHashAt(queries, height)) !== hash) return false
    for (const reading of readings) await writeReading(queries, height, reading)
    return true
  })
}

async function writeReading(queries: Queries, height: number, reading: TokenReading): Promise<void> {
  const { token } = reading.before
  const stored = await storedCheck(queries, token)
  if (stored === undefined) return
  await writeNames(queries, token, reading.names)
  await writeHolders(queries, { token, height }, reading.holders)
  await addHoldersToRead(
    queries,
    reading.found.map((address) => ({ token, address })),
  )
  const source = await sourceAfter(queries, token, reading)
  const { againMs } = reading
  const wait = source === 'reading' ? againMs.reading : stored.activeHeight > height ? againMs.active : againMs.complete
  const row: TokenCheckRow = {
    ...stored,
    source,
    height,
    supply: reading.supply,
    checkedMs: reading.checkedMs,
    dueMs: reading.checkedMs + wait,
    walkedPos: reading.walkedPos,
    readSince: reading.readSince,
  }
  await queries.insert(
    tokenChecks,
    [tokenChecks.encode(row)],
    `(token) do update set ${upsertAssignments(tokenChecks, ['token'])}`,
  )
}

/** By the primary key. */
async function storedCheck(queries: Queries, token: Hex): Promise<TokenCheckRow | undefined> {
  const [row] = await queries.lookup(tokenChecks, tokenChecks.select(), ['token'], [[hexToStored(token)]])
  return row && tokenChecks.decode(row)
}

/** By the primary key. */
async function writeNames(queries: Queries, token: Hex, names: TokenReading['names']): Promise<void> {
  for (const field of ['name', 'symbol', 'decimals'] as const) {
    const value = names[field]
    if (value === undefined || value === null) continue
    await queries.run(
      `update tokens
      set ${field} = $2
      where address = $1 and (${field} is null or ${field} <> $2)`,
      [hexToStored(token), typeof value === 'string' ? value.replaceAll('\0', '') : value],
    )
  }
}

/** By the primary keys. */
async function writeHolders(
  queries: Queries,
  { token, height }: { token: Hex; height: number },
  readings: readonly HolderReading[],
): Promise<void> {
  const keys = readings.map(({ before }) => [hexToStored(token), hexToStored(before.address)])
  const rows = await queries.lookup(tokenBalances, tokenBalances.select(), ['token', 'address'], keys)
  const current = new Map(rows.map((row) => tokenBalances.decode(row)).map((row) => [row.address, row]))
  const changed: (ChangedBalance & { reading: HolderReading })[] = []
  for (const reading of readings) {
    const { address, balance, readHeight } = reading.before
    const before = current.get(address)
    if (before === undefined || before.balance !== balance || before.readHeight !== readHeight) continue
    changed.push({ before, after: { ...before, balance: reading.balance, readHeight: height }, reading })
  }
  await queries.insert(
    tokenBalances,
    changed.map(({ after }) => tokenBalances.encode(after)),
    `(token, address) do update set ${upsertAssignments(tokenBalances, ['token', 'address'])}`,
  )
  await addToCounts(queries, changed)
  const items = changed.flatMap(({ reading }) => reading.items.map((item) => ({ ...item, token })))
  await queries.remove(
    tokenItems,
    ['address', 'token', 'token_id'],
    items.filter(({ balance }) => balance === 0n).map((item) => tokenItems.encode(item, ITEM_KEY)),
  )
  await queries.insert(
    tokenItems,
    items.filter(({ balance }) => balance !== 0n).map((item) => tokenItems.encode(item)),
    `(address, token, token_id) do update set ${upsertAssignments(tokenItems, ['address', 'token', 'token_id'])}`,
  )
}

const ITEM_KEY = ['address', 'token', 'tokenId'] as const

async function sourceAfter(queries: Queries, token: Hex, reading: TokenReading): Promise<CheckState> {
  const { source, supply, burnt, walkedPos, readSince } = reading
  if (source !== 'reading') return source
  if (walkedPos > 0 || (await hasUnreadHolders(queries, token, readSince))) return 'reading'
  if (supply === null) return 'contract'
  const [row] = await queries.lookup(tokenCounts, tokenCounts.select(), ['token'], [[hexToStored(token)]])
  const counts = row && tokenCounts.decode(row)
  const total = counts === undefined ? 0n : counts.total
  // A contract that computes each balance from shares rounds each of them.
  const rounding = BigInt(counts?.holders ?? 0)
  const difference = total === null ? 0n : total + burnt - supply
  return difference > rounding || difference < -rounding ? 'contract-partial' : 'contract'
}

/** While blocks are missing, no sum of events is right, whatever it agreed with before. Index token_checks_source. */
export function withdrawConfirmations(database: Database): Promise<void> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    await queries.run(
      `update token_checks
      set source = ${CHECK_STATES.indexOf('unconfirmed')}, due_ms = 0
      where source = ${CHECK_STATES.indexOf('events')}`,
    )
  })
}

/** Stores the sum of a token's balances where it is not known yet. By the primary key. */
export async function setTokenTotal(queries: Queries, token: Hex, total: bigint): Promise<void> {
  const [row] = await queries.lookup(tokenCounts, tokenCounts.select(), ['token'], [[hexToStored(token)]])
  if (row === undefined) return
  await queries.insert(
    tokenCounts,
    [tokenCounts.encode({ ...tokenCounts.decode(row), total })],
    `(token) do update set ${upsertAssignments(tokenCounts, ['token'])}`,
  )
}

/** By the primary key. */
export async function postponeTokenChecks(queries: Queries, addresses: readonly Hex[], dueMs: number): Promise<void> {
  await runInList(queries, POSTPONE, addresses.map(hexToStored), [dueMs])
}

const POSTPONE = listStatement((marks) => `update token_checks set due_ms = $1 where token in (${marks})`, 1)
