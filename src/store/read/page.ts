// Every list is read in two steps: an index gives positions (or heights), then the rows at those positions are read. Limits and
// offsets are numbers in the text of the statement, since PostgreSQL plans badly around parameters there.
import { setImmediate } from 'node:timers/promises'
import type { Queries, Row, Value } from '../engine/database.ts'
import type { Reader } from './chain-reader.ts'

export type Order = 'newest' | 'oldest'

/** A page by its number (`offset`), or by the last key of the page before (`beyond`, not included), or the first page. */
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

export type ConditionedFrom = {
  readonly table: string
  readonly conditions: readonly string[]
  readonly parameters: ReturnType<typeof createParameters>
}

export function limited({ limit, offset = 0 }: Page<unknown>): string {
  return `limit ${rowNumber(limit)}${offset > 0 ? ` offset ${rowNumber(offset)}` : ''}`
}

/** Positions (or heights) in the order of an index; `from` must name conditions that one index answers. */
export async function keysOf(
  queries: Queries,
  { key, from, page, order = 'newest' }: { key: string; from: ConditionedFrom; page: Page; order?: Order | undefined },
): Promise<number[]> {
  const { table, conditions, parameters } = from
  const comparison = order === 'newest' ? '<' : '>'
  const all =
    page.beyond === undefined ? conditions : [...conditions, `${key} ${comparison} ${parameters.add(page.beyond)}`]
  const direction = order === 'newest' ? 'desc' : 'asc'
  const rows = await queries.all<{ key: number }>(
    `select ${key} as key from ${table}${where(all)} order by ${key} ${direction} ${limited(page)}`,
    parameters.values,
  )
  return rows.map((row) => row.key)
}

/** Tables whose lists grow as long as no block is removed. Holders may become fewer. */
const GROWING: ReadonlySet<string> = new Set(['activity', 'blocks', 'transactions'])

/** Exact, or exact up to `atMost` and then `atMost`. */
export async function countOf(
  reader: Reader,
  { table, conditions, parameters }: ConditionedFrom,
  atMost?: number,
): Promise<number> {
  const from =
    atMost === undefined
      ? `${table}${where(conditions)}`
      : `(select 1 from ${table}${where(conditions)} limit ${rowNumber(atMost)}) x`
  const text = `select count(*) as count from ${from}`
  const { cache } = reader
  const key = cache ? text + keyOf(parameters.values) : ''
  const cached = cache?.count(key)
  if (cached !== undefined) return cached
  const [row] = await reader.all<{ count: number }>(text, parameters.values)
  const { count } = row!
  cache?.setCount(key, count, count === atMost && GROWING.has(table))
  return count
}

function keyOf(values: readonly Value[]): string {
  return values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)).join('\n')
}

/** Lists of values are padded to these sizes, so that there are few statement texts. A page is read with one row more than it shows. */
const LIST_SIZES = [1, 5, 21, 51, 101, 201, 1_001]
const LONGEST_LIST = 1_001

/** A statement with `in (...)`, as one text for each size of the list. */
export type ListStatement = readonly string[]

/** `leading` is how many parameters come before those of the list. */
export function listStatement(textWith: (marks: string) => string, leading = 0): ListStatement {
  return LIST_SIZES.map((size) => textWith(marksOf(size, leading)))
}

/** The rows for many values, in no order. */
export async function rowsInList<R extends Row>(
  queries: Queries,
  statement: ListStatement,
  values: readonly Value[],
  leading: readonly Value[] = [],
): Promise<R[]> {
  if (values.length > 0 && values.length <= LONGEST_LIST) return queries.all(...boundTo(statement, values, leading))
  const rows: R[] = []
  for await (const piece of piecesOf(values)) {
    for (const row of await queries.all<R>(...boundTo(statement, piece, leading))) rows.push(row)
  }
  return rows
}

/** Runs an update for many values. */
export async function runInList(
  queries: Queries,
  statement: ListStatement,
  values: readonly Value[],
  leading: readonly Value[] = [],
): Promise<void> {
  for await (const piece of piecesOf(values)) await queries.run(...boundTo(statement, piece, leading))
}

/** Between two pieces the event loop runs: SQLite answers in this very thread. */
async function* piecesOf(values: readonly Value[]): AsyncGenerator<readonly Value[]> {
  for (let i = 0; i < values.length; i += LONGEST_LIST) {
    if (i > 0) await setImmediate()
    yield values.slice(i, i + LONGEST_LIST)
  }
}

function boundTo(
  statement: ListStatement,
  values: readonly Value[],
  leading: readonly Value[],
): [text: string, values: readonly Value[]] {
  const list = padded(values)
  return [statement[sizeStep(values.length)]!, leading.length === 0 ? list : [...leading, ...list]]
}

/** Marks and values of one list inside a statement that has no fixed text. */
export function inList<V extends Value>(values: readonly V[], first = 1): { marks: string; values: readonly V[] } {
  return { marks: marksOf(LIST_SIZES[sizeStep(values.length)]!, first - 1), values: padded(values) }
}

function padded<V extends Value>(values: readonly V[]): readonly V[] {
  const size = LIST_SIZES[sizeStep(values.length)]!
  return values.length === size ? values : Array.from({ length: size }, (_, i) => values[i] ?? values[0]!)
}

function sizeStep(length: number): number {
  const step = LIST_SIZES.findIndex((size) => size >= length)
  if (step === -1 || length === 0) throw new RangeError(`${length} values do not fit into a list`)
  return step
}

function marksOf(size: number, leading: number): string {
  return Array.from({ length: size }, (_, i) => `$${leading + i + 1}`).join(', ')
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

function rowNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no number of rows`)
  return value
}
