// Rows as they go out. A row that the store remembers gives the same record again for as long as the chain stands where it is, and the
// record its JSON. What was made stays with the row: it is found without a search, and gone with it.
import { spelledBy } from '../../lib/json/json-text.ts'
import { type ChainNow, type Movement, viewOf } from '../state/chain-now.ts'
import type { ChainView } from '../state/chain-view.ts'

const made = Symbol('what was made of the row last')

type Placed = Movement & { readonly pos: number; [made]?: Made }
type RecordOf<R, A> = (view: ChainView, row: R) => A
type Made = {
  /** A copy of a row is another row. */
  readonly row: object
  readonly now: ChainNow
  readonly recordOf: RecordOf<never, object>
  readonly record: object
  text: string | undefined
}

export async function recordsOf<R extends Placed, A extends object>(
  now: ChainNow,
  rows: readonly R[],
  recordOf: RecordOf<R, A>,
): Promise<A[]> {
  const isMade = (row: R): boolean => {
    const known = row[made]
    return known !== undefined && known.now === now && known.recordOf === recordOf && known.row === row
  }
  const unknown = rows.filter((row) => !isMade(row))
  if (unknown.length > 0) {
    const view = await viewOf(now, unknown)
    for (const row of unknown) row[made] = { row, now, recordOf, record: recordOf(view, row), text: undefined }
  }
  const all = rows.map((row) => row[made]!)
  return spelledBy(
    all.map(({ record }) => record as A),
    () => `[${all.map(textOf).join(',')}]`,
  )
}

function textOf(each: Made): string {
  each.text ??= JSON.stringify(each.record)
  return each.text
}
