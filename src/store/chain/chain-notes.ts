// Small things beside the chain: one text under each name.
import type { Queries } from '../engine/database.ts'

export async function setChainNote(queries: Queries, name: string, value: string): Promise<void> {
  await queries.run(
    'insert into chain_notes (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [name, value],
  )
}

/**
 * For whoever keeps answers: they are old as soon as this number changed. Comes first in a transaction: who writes chain or market waits
 * here for the other, and not later with half of what the other waits for.
 */
export async function incrementChainVersion(queries: Queries): Promise<void> {
  await queries.run(
    "insert into chain_notes (name, value) values ('version', '1') on conflict (name) do update set value = cast(cast(chain_notes.value as bigint) + 1 as text)",
  )
}
