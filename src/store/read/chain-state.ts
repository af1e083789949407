// How far the index is: the highest stored block, the safe and finalized heights, the stored ranges.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries, Row, Value } from '../engine/database.ts'
import {
  DERIVED_THINGS,
  type DerivationRow,
  type DerivationState,
  type DerivedThing,
  derivationStateOf,
  derivations,
  derivedThings,
} from '../schema/derivations.ts'
import type { BlockRow } from '../schema/rows.ts'
import { blocks, type StoredRange, storedRanges } from '../schema/tables.ts'

/** What lists show of the block of a transaction. */
export type BlockStamp = Pick<BlockRow, 'height' | 'hash' | 'timestampMs'>

export type TagHeights = { readonly safe: number | null; readonly finalized: number | null }

export type ChainState = TagHeights & {
  /** The highest stored block; undefined while nothing is stored. */
  readonly head: BlockStamp | undefined
  /** Changes with every commit that can change an answer. */
  readonly version: string
  /** Changes when rows of stored blocks were replaced: nothing that was read before may be used. */
  readonly repairs: string
  readonly nativeBalances: NativeBalanceState
  /** There are calls that are not known, or not as this version derives them, and may have created contracts. */
  readonly hasUnknownCalls: boolean
  /** What an older version of the program derived; it is derived again in the background. */
  readonly outdated: readonly DerivedThing[]
}

export type NativeBalanceState = {
  /** Every stored balance that is known is that of the head. */
  readonly areExact: boolean
  /** An address without a stored balance has nothing. */
  readonly areComplete: boolean
}

/** Names of chain notes: where the first balances come from, and the height up to which all stored balances were read from the node. */
export const NATIVE_ORIGIN = 'origin of balances'
export const FROM_GENESIS = 'genesis file'
export const BALANCES_CHECKED = 'balances checked'

const STAMP = ['height', 'hash', 'timestampMs'] as const

function noted(name: string): string {
  return `(select value from chain_notes where name = '${name}') as ${name}`
}

/** One bit for each thing that is of this program's version. */
function isCurrent(thing: DerivedThing, index: number): string {
  return `when thing = '${thing}' and version >= ${DERIVED_THINGS[thing].version} then ${2 ** index}`
}

const STATE = `
  select ${blocks.select(STAMP, 'b')},
    ${noted('safe')},
    ${noted('finalized')},
    ${noted('version')},
    ${noted('repairs')},
    (select value from chain_notes where name = '${NATIVE_ORIGIN}') as origin,
    (select value from chain_notes where name = '${BALANCES_CHECKED}') as checked,
    (select max(height) from trace_gaps where may_move = 1 and height >= 0) as untraced,
    (select max(height) from unseen_moves where height >= 0) as beside,
    (select sum(case ${derivedThings.map(isCurrent).join(' ')} else 0 end) from derivations where thing > '') as "currentThings",
    (select first_height from stored_ranges where first_height >= 0 order by first_height limit 1) as lowest,
    (select first_height from stored_ranges where first_height >= 0 order by first_height desc limit 1) as highest
  from (select 1) x
  left join blocks b on b.height = (select max(height) from blocks)`

/** One statement, since every answer begins with it. By primary keys and the index trace_gaps_moving. */
export async function chainState(queries: Queries): Promise<ChainState> {
  const [row] = await queries.all(STATE)
  const head = row!.height === null ? undefined : blocks.decode(row!, STAMP)
  const current = Number(row!.currentThings ?? 0)
  const outdated = head === undefined ? [] : derivedThings.filter((_, index) => (current & (2 ** index)) === 0)
  return {
    head,
    outdated,
    safe: heightFrom(row!.safe!),
    finalized: heightFrom(row!.finalized!),
    version: (row!.version as string | null) ?? '0',
    repairs: (row!.repairs as string | null) ?? '0',
    nativeBalances: nativeBalanceState(row!, !outdated.includes('native balances')),
    hasUnknownCalls: row!.untraced !== null || outdated.includes('internal transactions'),
  }
}

const NOWHERE = -1

/** While blocks are missing between stored ones, balances below the gap are old. */
function nativeBalanceState(
  { origin, checked, untraced, beside, lowest, highest }: Row,
  areCurrent: boolean,
): NativeBalanceState {
  const unseen = Math.max(Number(untraced ?? NOWHERE), Number(beside ?? NOWHERE))
  const isOneRange = lowest !== null && lowest === highest
  const isChecked = (heightFrom(checked!) ?? NOWHERE) >= unseen
  return {
    areExact: areCurrent && isOneRange && isChecked,
    areComplete: areCurrent && isOneRange && lowest === 0 && unseen === NOWHERE && origin === FROM_GENESIS,
  }
}

/** A few rows. By the primary key. */
export async function derivationRows(queries: Queries): Promise<DerivationRow[]> {
  const rows = await queries.all(`select ${derivations.select()} from derivations where thing > '' order by thing`)
  return rows.map((row) => derivations.decode(row))
}

/** How far an index of an older version is derived again. */
export async function derivationState(queries: Queries): Promise<DerivationState> {
  if ((await rangesStored(queries)).length === 0) return { outdated: [], derivedTo: undefined }
  return derivationStateOf(await derivationRows(queries))
}

/** By the primary key. */
export async function blockHashAt(queries: Queries, height: number): Promise<Hex | undefined> {
  const [row] = await queries.all(`select ${blocks.select(['hash'])} from blocks where height = $1`, [height])
  return row && blocks.decode(row, ['hash']).hash
}

/** Far more ranges than a backfill leaves open. */
const MAX_RANGES = 10_000

/** Lowest first; heights between two ranges are missing. By the primary key. */
export async function rangesStored(queries: Queries): Promise<StoredRange[]> {
  const rows = await queries.all(
    `select ${storedRanges.select()}
     from stored_ranges
     order by first_height
     limit ${MAX_RANGES}`,
  )
  return rows.map((row) => storedRanges.decode(row))
}

/** By the primary key. */
export async function chainNote(queries: Queries, name: string): Promise<string | undefined> {
  const [row] = await queries.all<{ value: string }>('select value from chain_notes where name = $1', [name])
  return row?.value
}

function heightFrom(note: Value): number | null {
  return note === null || note === '' ? null : Number(note)
}
