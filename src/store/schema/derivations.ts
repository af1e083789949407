// What is derived from blocks and stored, and the version of the rules that it is derived by. The version is stored with the index: rows of
// an older version are derived again in the background. Whoever changes which rows a block has raises the version of their kind here.
import { createTable, integer, nullable, text } from './table.ts'

export const DERIVED_THINGS = {
  /** blocks, transactions, logs */
  'blocks and transactions': { version: 1, from: 'node' },
  /** internals, trace_gaps, contracts, errors of transactions */
  'internal transactions': { version: 1, from: 'node' },
  /** transfers, tokens, token_supplies, token_history */
  'token transfers': { version: 1, from: 'node' },
  /** native_history, native_balances, unseen_moves, rewards of blocks */
  'native balances': { version: 1, from: 'node' },
  /** activity */
  'activity of addresses': { version: 1, from: 'stored rows' },
  /** token_balances, token_items, token_counts: sums over all blocks, which come when all else is current */
  'token balances': { version: 1, from: 'stored sums' },
} as const satisfies Readonly<Record<string, Derivation>>

type Derivation = {
  readonly version: number
  /** What it is derived from again: blocks of the node, rows of the same blocks, or rows of all blocks. */
  readonly from: 'node' | 'stored rows' | 'stored sums'
}

export type DerivedThing = keyof typeof DERIVED_THINGS
export const derivedThings = Object.keys(DERIVED_THINGS) as DerivedThing[]

export type DerivationRow = {
  /** One of `derivedThings`, unless a newer program wrote it. */
  readonly thing: string
  /** Of all rows or, while they are derived again, of those above `derivedTo`. */
  readonly version: number
  readonly toVersion: number | null
  readonly derivedTo: number | null
}
export const derivations = createTable<DerivationRow>('derivations', {
  thing: text,
  version: integer,
  toVersion: nullable(integer),
  derivedTo: nullable(integer),
})

/** How far an index of an older version is derived again. */
export type DerivationState = {
  /** What is not of this program's version; empty in a current index. */
  readonly outdated: readonly DerivedThing[]
  /** Everything but sums is current up to this height; -1 before the first, undefined where it is current at all heights. */
  readonly derivedTo: number | undefined
}

/** Of an index that has blocks. */
export function derivationStateOf(rows: readonly DerivationRow[]): DerivationState {
  const rowOf = (thing: DerivedThing) => rows.find((row) => row.thing === thing)
  const outdated = derivedThings.filter((thing) => (rowOf(thing)?.version ?? 0) < DERIVED_THINGS[thing].version)
  const heights = outdated.filter(isByHeight).map((thing) => {
    const { toVersion = null, derivedTo = null } = rowOf(thing) ?? {}
    return toVersion === DERIVED_THINGS[thing].version ? (derivedTo ?? -1) : -1
  })
  return { outdated, derivedTo: heights.length === 0 ? undefined : Math.min(...heights) }
}

export function isByHeight(thing: DerivedThing): boolean {
  return DERIVED_THINGS[thing].from !== 'stored sums'
}

/** What a newer program derived by rules that this one does not know. */
export function newerThings(rows: readonly DerivationRow[]): string[] {
  return rows
    .filter(({ thing, version, toVersion }) => {
      const known = (DERIVED_THINGS as { readonly [thing: string]: { version: number } | undefined })[thing]
      return known === undefined || Math.max(version, toVersion ?? 0) > known.version
    })
    .map(({ thing }) => thing)
}
