// The version of derivation that is stored with the index: set by the first block of an empty index, raised when rows of an older version
// have been derived again.
import type { Database, Queries } from '../engine/database.ts'
import { SchemaMismatch } from '../engine/migrate.ts'
import { derivationRows, derivationState, rangesStored } from '../read/chain-state.ts'
import {
  DERIVED_THINGS,
  type DerivationRow,
  type DerivationState,
  type DerivedThing,
  derivations,
  derivedThings,
  newerThings,
} from '../schema/derivations.ts'
import { upsertAssignments } from '../schema/table.ts'
import { incrementChainVersion } from './chain-notes.ts'

/** An older program would write rows that the newer one takes for its own. */
export async function refuseNewerIndex(queries: Queries): Promise<void> {
  const newer = newerThings(await derivationRows(queries))
  if (newer.length === 0 || (await rangesStored(queries)).length === 0) return
  throw new SchemaMismatch(
    `the index was derived by a newer version of firstlight (${newer.join(', ')}): update this program, or run \`firstlight resync\` with it to index the chain again`,
  )
}

/** For the first block of an empty index. */
export async function setCurrentDerivations(queries: Queries): Promise<void> {
  await queries.run('delete from derivations')
  await setDerivations(
    queries,
    derivedThings.map((thing) => ({
      thing,
      version: DERIVED_THINGS[thing].version,
      toVersion: null,
      derivedTo: null,
    })),
  )
}

/** Notes what is derived again from now on. What an earlier run derived by this version counts. */
export function beginDerivingAgain(database: Database): Promise<DerivationState> {
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    const state = await derivationState(queries)
    const stored = await derivationRows(queries)
    await setDerivations(
      queries,
      state.outdated.map((thing) => ({
        thing,
        version: stored.find((row) => row.thing === thing)?.version ?? 0,
        toVersion: DERIVED_THINGS[thing].version,
        derivedTo: state.derivedTo ?? null,
      })),
    )
    return state
  })
}

/** Rows up to this height are derived again. */
export async function setDerivedTo(queries: Queries, height: number): Promise<void> {
  await queries.run(
    `update derivations
    set derived_to = $1
    where thing > '' and to_version is not null`,
    [height],
  )
}

/** All rows of these kinds are derived again. */
export async function endDerivingAgain(queries: Queries, things: readonly DerivedThing[]): Promise<void> {
  for (const thing of things) {
    await queries.run(
      `update derivations
      set version = to_version, to_version = null, derived_to = null
      where thing = $1 and to_version is not null`,
      [thing],
    )
  }
}

/** Rows above this height were removed. By the primary key. */
export async function lowerDerivedTo(queries: Queries, height: number): Promise<void> {
  await queries.run(
    `update derivations
    set derived_to = $1
    where thing > '' and derived_to > $1`,
    [height],
  )
}

/** By the primary key. */
async function setDerivations(queries: Queries, rows: readonly DerivationRow[]): Promise<void> {
  await queries.insert(
    derivations,
    rows.map((row) => derivations.encode(row)),
    `(thing) do update set ${upsertAssignments(derivations, ['thing'])}`,
  )
}
