// Tables of sums: a change is added to what is there, and a row whose sums are all zero goes away, so that what was undone
// leaves no trace and the order of changes does not matter.
import type { Queries } from '../engine/database.ts'
import { snakeCase, type Table, upsertAssignments } from '../schema/table.ts'

export type SumTable<R> = {
  readonly table: Table<R>
  readonly key: readonly (keyof R & string)[]
  readonly plus: (a: R, b: R) => R
  readonly isZero: (row: R) => boolean
}

/** Gives each row that changed, as it was (undefined where there was none) and as it is. */
export async function addSums<R>(
  queries: Queries,
  { table, key, plus, isZero }: SumTable<R>,
  changes: readonly R[],
): Promise<{ before: R | undefined; after: R }[]> {
  const textOf = (row: R) => key.map((field) => row[field]).join()
  const merged = new Map<string, R>()
  for (const change of changes) {
    const earlier = merged.get(textOf(change))
    merged.set(textOf(change), earlier ? plus(earlier, change) : change)
  }

  const columns = key.map(snakeCase)
  const keys = [...merged.values()].map((row) => table.encode(row, key))
  const found = (await queries.lookup(table, table.select(), columns, keys)).map((row) => table.decode(row) as R)
  const stored = new Map(found.map((row) => [textOf(row), row]))
  const changed = [...merged].map(([text, change]) => {
    const before = stored.get(text)
    return { before, after: before ? plus(before, change) : change }
  })

  const kept = changed.filter(({ after }) => !isZero(after)).map(({ after }) => table.encode(after))
  const gone = changed.filter(({ before, after }) => before && isZero(after))
  await queries.insert(table, kept, `(${columns.join(', ')}) do update set ${upsertAssignments(table, columns)}`)
  await queries.remove(
    table,
    columns,
    gone.map(({ after }) => table.encode(after, key)),
  )
  return changed
}
