// Replaces the rows of stored blocks by those that a newer version of the program derives from the same blocks, in order from the lowest
// block up. Blocks above them stay as they are: sums change by the difference alone.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database, Queries } from '../engine/database.ts'
import { derivationState, rangesStored } from '../read/chain-state.ts'
import { nativeBalancesOf } from '../read/native-balances.ts'
import { derivedThings, isByHeight } from '../schema/derivations.ts'
import type { BlockRows } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { type ActivityRow, activity, blocks, internals, tokens, transactions, transfers } from '../schema/tables.ts'
import { tokenChecks } from '../schema/token-checks.ts'
import { activityOf } from './activity-rows.ts'
import { appendBlocks } from './append.ts'
import { incrementChainVersion, incrementRepairs } from './chain-notes.ts'
import { endDerivingAgain, setDerivedTo } from './derivations.ts'
import { deleteActivity, deleteNativeHistory, deleteRows, type Heights, restoreBalances, undoSums } from './reorg.ts'
import { hasSameRows, storedRows } from './same-rows.ts'
import { copyHoldersToTokens } from './token-sums.ts'

/**
 * `same`: the stored rows were these already. `refused`: the blocks are not the next ones, or not those that are stored any more, and
 * nothing was written.
 */
export type Replacement = 'replaced' | 'same' | 'refused'

/** The blocks follow each other. */
export function replaceBlocks(database: Database, derived: readonly BlockRows[]): Promise<Replacement> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    const heights = { from: derived[0]!.block.height, to: derived.at(-1)!.block.height }
    if ((await nextToDerive(queries))?.from !== heights.from) return 'refused'
    if (!(await areStored(queries, derived))) return 'refused'
    const isSame = await hasSameRows(queries, derived)
    if (!isSame) await replaceRows(queries, heights, derived)
    await advance(queries, heights.to)
    return isSame ? 'same' : 'replaced'
  })
}

/** Blocks whose activity is derived in one transaction. */
const ACTIVITY_STEP = 50

/** Where nothing else is outdated, stored rows are enough. By primary keys. */
export function deriveActivityAgain(database: Database): Promise<void> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    await incrementRepairs(queries)
    const left = await nextToDerive(queries)
    if (left === undefined) return
    const heights = { from: left.from, to: Math.min(left.to, left.from + ACTIVITY_STEP - 1) }
    await deleteActivity(queries, heights)
    const rows = activityOf([
      {
        transactions: await storedRows(queries, transactions, heights),
        internals: await storedRows(queries, internals, heights),
        transfers: await storedRows(queries, transfers, heights),
      },
    ])
    await removeActivity(queries, rows)
    await queries.insert(
      activity,
      rows.map((row) => activity.encode(row)),
    )
    await advance(queries, heights.to)
  })
}

/** A reorg may have removed all that was not derived again. */
export function endIfAllDerived(database: Database): Promise<void> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    await endIfNothingIsLeft(queries)
  })
}

/** The heights that are still to be derived again; undefined where none is, and while blocks are missing between stored ones. */
export async function nextToDerive(queries: Queries): Promise<Heights | undefined> {
  const { derivedTo } = await derivationState(queries)
  const [range, ...others] = await rangesStored(queries)
  if (derivedTo === undefined || range === undefined || others.length > 0) return undefined
  return { from: Math.max(derivedTo + 1, range.firstHeight), to: range.lastHeight }
}

async function advance(queries: Queries, height: number): Promise<void> {
  await setDerivedTo(queries, height)
  await endIfNothingIsLeft(queries)
}

async function endIfNothingIsLeft(queries: Queries): Promise<void> {
  const left = await nextToDerive(queries)
  if (left !== undefined && left.from > left.to) await endDerivingAgain(queries, derivedThings.filter(isByHeight))
}

/** Whether these blocks, and the one below them, are the stored ones. By the primary key. */
async function areStored(queries: Queries, derived: readonly BlockRows[]): Promise<boolean> {
  const first = derived[0]!.block
  const rows = await queries.all(
    `select ${blocks.select(['height', 'hash'])}
    from blocks
    where height >= $1 and height <= $2`,
    [first.height - 1, derived.at(-1)!.block.height],
  )
  const hashes = new Map(rows.map((row) => blocks.decode(row, ['height', 'hash'])).map((row) => [row.height, row.hash]))
  const below = hashes.get(first.height - 1)
  return (
    (below === undefined || below === first.parentHash) &&
    derived.every(({ block }) => hashes.get(block.height) === block.hash)
  )
}

/** By primary keys and the indexes on height. */
async function replaceRows(queries: Queries, heights: Heights, derived: readonly BlockRows[]): Promise<void> {
  await incrementRepairs(queries)
  const known = await tokensFirstSeenIn(queries, heights)
  await undoSums(queries, heights)
  const touched = await deleteNativeHistory(queries, heights)
  await deleteRows(queries, heights)
  await removeActivity(queries, activityOf(derived))
  await appendBlocks(queries, derived)
  await copyHoldersToTokens(
    queries,
    derived.flatMap((rows) => rows.tokens.map(({ address }) => address)),
  )
  await checkTokensAgain(queries, known, await tokensFirstSeenIn(queries, heights))
  for (const { nativeBalances } of derived) for (const { address } of nativeBalances) touched.add(address)
  await restoreBalances(queries, await lastChangedUpTo(queries, touched, heights.to), heights.to + 1)
}

/** Where stored rows did not agree with each other, some of these may be there still. */
async function removeActivity(queries: Queries, rows: readonly ActivityRow[]): Promise<void> {
  const keys = rows.map((row) => activity.encode(row, ['address', 'kind', 'pos']))
  await queries.remove(activity, ['address', 'kind', 'pos'], keys)
}

/** Index tokens_height. */
async function tokensFirstSeenIn(queries: Queries, { from, to }: Heights): Promise<Set<Hex>> {
  const rows = await queries.all(
    `select ${tokens.select(['address'])}
    from tokens
    where height >= $1 and height <= $2`,
    [from, to],
  )
  return new Set(rows.map((row) => tokens.decode(row, ['address']).address))
}

/** A token that is none any more is not compared with its contract; the others are compared next. By the primary key. */
async function checkTokensAgain(queries: Queries, before: ReadonlySet<Hex>, after: ReadonlySet<Hex>): Promise<void> {
  const keysOf = (addresses: ReadonlySet<Hex>) => [...addresses].map((address) => [hexToStored(address)])
  await queries.remove(tokenChecks, ['token'], keysOf(before.difference(after)))
  for (const [token] of keysOf(after)) {
    await queries.run(
      `update token_checks
      set due_ms = 0
      where token = $1`,
      [token!],
    )
  }
}

/** Balances that changed again in a later block are those of that block. */
async function lastChangedUpTo(queries: Queries, addresses: ReadonlySet<Hex>, height: number): Promise<Hex[]> {
  const current = await nativeBalancesOf(queries, [...addresses])
  return [...current.values()].filter((row) => row.height <= height).map(({ address }) => address)
}
