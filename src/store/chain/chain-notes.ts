// The table chain_notes: small texts about the stored chain, one under each name.
import type { Queries } from '../engine/database.ts'

/** By the primary key. */
export async function setChainNote(queries: Queries, name: string, value: string): Promise<void> {
  await queries.run(
    `insert into chain_notes (name, value)
    values ($1, $2)
    on conflict (name) do update set value = excluded.value`,
    [name, value],
  )
}

/** Rows of stored blocks were replaced: readers clear their caches. By the primary key. */
export async function incrementRepairs(queries: Queries): Promise<void> {
  await queries.run(
    `insert into chain_notes (name, value)
    values ('repairs', '1')
    on conflict (name) do update set value = cast(cast(chain_notes.value as bigint) + 1 as text)`,
  )
}

/**
 * Cached answers are valid while this number stays the same. It must be the first statement of a transaction: then two writers of chain
 * and market wait for each other at this row, before either holds a lock that the other needs. By the primary key.
 */
export async function incrementChainVersion(queries: Queries): Promise<void> {
  await queries.run(
    `insert into chain_notes (name, value)
    values ('version', '1')
    on conflict (name) do update set value = cast(cast(chain_notes.value as bigint) + 1 as text)`,
  )
}
