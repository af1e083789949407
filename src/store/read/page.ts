// Every list is read in two steps, keys then rows: an index gives positions, then the rows at them are fetched. Limits and
// offsets stand in the text as numbers, since PostgreSQL plans badly around parameters there.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queries, Value } from '../engine/database.ts'
import { memoryOf } from './chain-reader.ts'

export type Order = 'newest' | 'oldest'

/** A page by its number (`offset`), or by the last key seen (`beyond`, not included), or the first page. */
export type Page<Key = number> = {
  readonly limit: number
  readonly offset?: number | undefined
  readonly beyond?: Key | undefined
}

/** Collects the parameters of a statement, and gives each its `$n`. */
export function createParameters(): { values: Value[]; add: (value: Value) => string } {
  const values: Value[] = []
  return {
    values,
    add: (value) => {
      values.push(value)
      return `$${values.length}`
    },
  }
}

export function limited({ limit, offset = 0 }: Page<unknown>): string {
  return `limit ${whole(limit)}${offset > 0 ? ` offset ${whole(offset)}` : ''}`
}

/** Positions (or heights) that an index gives in order; `from` is what stands between `from` and `order by`. */
export async function keysOf(
  queries: Queries,
  { key, from, page, order = 'newest' }: { key: string; from: ConditionedFrom; page: Page; order?: Order | undefined },
): Promise<number[]> {
  const { table, conditions, parameters } = from
  const all = page.beyond === undefined ? conditions : [...conditions, beyond(key, order, parameters.add(page.beyond))]
  const direction = order === 'newest' ? 'desc' : 'asc'
  const rows = await queries.all<{ key: number }>(
    `select ${key} as key from ${table}${where(all)} order by ${key} ${direction} ${limited(page)}`,
    parameters.values,
  )
  return rows.map((row) => row.key)
}

export type ConditionedFrom = {
  readonly table: string
  readonly conditions: readonly string[]
  readonly parameters: ReturnType<typeof createParameters>
}

/** Exact, or exact up to `atMost` and then `atMost`. */
export async function countOf(
  queries: Queries,
  { table, conditions, parameters }: ConditionedFrom,
  atMost?: number,
): Promise<number> {
  const from =
    atMost === undefined
      ? `${table}${where(conditions)}`
      : `(select 1 from ${table}${where(conditions)} limit ${whole(atMost)}) x`
  const text = `select count(*) as count from ${from}`
  const count = async () => (await queries.all<{ count: number }>(text, parameters.values))[0]!.count
  const memory = memoryOf(queries)
  if (!memory) return count()
  const { lasting, passing } = memory
  const key = text + keyOf(parameters.values)
  const known = lasting.fullCounts.get(key) ?? passing.counts.get(key)
  if (known !== undefined) return known
  const counted = await count()
  // What reached its bound can only have grown; holders may be fewer again.
  const lasts = counted === atMost && GROWING.has(table)
  const kept = lasts ? lasting.fullCounts : passing.counts
  kept.set(key, counted)
  return counted
}

const GROWING: ReadonlySet<string> = new Set(['activity', 'blocks', 'transactions'])

function keyOf(values: readonly Value[]): string {
  return values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)).join('\n')
}

/** Padded to a few sizes by repeating the first value, so that there are few statement texts. */
export function inList<V extends Value>(values: readonly V[], first = 1): { marks: string; values: readonly V[] } {
  const size = LIST_SIZES.find((step) => step >= values.length)
  if (size === undefined || values.length === 0) throw new RangeError(`${values.length} values do not fit into a list`)
  const padded = values.length === size ? values : Array.from({ length: size }, (_, i) => values[i] ?? values[0]!)
  return { marks: marksOf(size, first), values: padded }
}

/** A statement that ends in a list, made once for each size: making a long text anew costs more than running it. */
export function endingInList(beginning: string): (marks: string) => string {
  const texts = new Map<string, string>()
  return (marks) => {
    const known = texts.get(marks)
    if (known !== undefined) return known
    const text = `${beginning} in (${marks})`
    texts.set(marks, text)
    return text
  }
}

/** In pieces that fit into a list. Between two of them others get their turn: an engine inside the process answers without one. */
export async function inLists<V extends Value, R>(
  values: readonly V[],
  read: (piece: V[]) => Promise<R[]>,
): Promise<R[]> {
  const rows: R[] = []
  for (let i = 0; i < values.length; i += LONGEST_LIST) {
    if (i > 0) await nextTurn()
    rows.push(...(await read(values.slice(i, i + LONGEST_LIST))))
  }
  return rows
}

/** Pages are read with one row more than they show. */
const LIST_SIZES = [1, 5, 21, 51, 101, 201, 1_001]
const LONGEST_LIST = 1_001

const marksKept = new Map<string, string>()

function marksOf(size: number, first: number): string {
  const key = `${size} from ${first}`
  const known = marksKept.get(key)
  if (known !== undefined) return known
  const marks = Array.from({ length: size }, (_, i) => `$${first + i}`).join(', ')
  marksKept.set(key, marks)
  return marks
}

function beyond(key: string, order: Order, mark: string): string {
  return `${key} ${order === 'newest' ? '<' : '>'} ${mark}`
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no number of rows`)
  return value
}
