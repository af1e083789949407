// Rows as they go out. A row that the store remembers gives the same record again for as long as the chain stands where it is.
import { createGenerations, type Generations } from '../lib/generations.ts'
import { type ChainNow, type Movement, viewOf } from './chain-now.ts'
import type { ChainView } from './chain-view.ts'

const RECORDS_KEPT = 16_000

type Placed = Movement & { readonly pos: number }
type RecordOf<R, A> = (view: ChainView, row: R) => A
type Made = { readonly row: Placed; readonly record: object }
type MadeByPosition = Generations<number, Made>

const madeFor = new WeakMap<ChainNow, Map<RecordOf<never, object>, MadeByPosition>>()

export const recordsOf = async <R extends Placed, A extends object>(
  now: ChainNow,
  rows: readonly R[],
  recordOf: RecordOf<R, A>,
): Promise<A[]> => {
  const made = madeBy(now, recordOf)
  const records: (A | undefined)[] = rows.map((row) => {
    const known = made.get(row.pos)
    return known?.row === row ? (known.record as A) : undefined
  })
  const unknown = rows.filter((_, i) => records[i] === undefined)
  if (unknown.length === 0) return records as A[]
  const view = await viewOf(now, unknown)
  return rows.map((row, i) => {
    const known = records[i]
    if (known) return known
    const record = recordOf(view, row)
    made.set(row.pos, { row, record })
    return record
  })
}

const madeBy = <R, A extends object>(now: ChainNow, recordOf: RecordOf<R, A>): MadeByPosition => {
  let kinds = madeFor.get(now)
  if (!kinds) {
    kinds = new Map()
    madeFor.set(now, kinds)
  }
  let made = kinds.get(recordOf)
  if (!made) {
    made = createGenerations(RECORDS_KEPT)
    kinds.set(recordOf, made)
  }
  return made
}
