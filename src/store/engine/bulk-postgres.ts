// Many rows in PostgreSQL, where some may be there already: one statement, one array a column.
import type { Queries, Row, TableShape, Value } from './database.ts'

export type BulkQueries = Pick<Queries, 'insert' | 'lookup' | 'remove'>

type Run = (sql: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>

const arrays = { bytes: 'bytea[]', int: 'bigint[]', text: 'text[]', real: 'double precision[]' } as const

export function postgresBulk(run: Run): BulkQueries {
  return {
    insert: async ({ name, columns }, rows, onConflict) => {
      const names = columns.map((column) => column.name).join(', ')
      const conflict = onConflict ? ` on conflict ${onConflict}` : ''
      const sql = `insert into ${name} (${names}) select * from ${unnested(columns)}${conflict}`
      for (const piece of pieces(rows)) await run(sql, transposed(piece))
    },
    lookup: async <R extends Row>(...[table, select, by, keys]: Parameters<Queries['lookup']>) => {
      const sql = `select ${select} from ${keysOf(table, by)} join ${table.name} on ${equalTo(table, by)}`
      const found: R[] = []
      for (const piece of pieces(keys)) found.push(...((await run(sql, transposed(piece))).rows as R[]))
      return found
    },
    remove: async (table, by, keys) => {
      const sql = `delete from ${table.name} using ${keysOf(table, by)} where ${equalTo(table, by)}`
      for (const piece of pieces(keys)) await run(sql, transposed(piece))
    },
  }
}

/** No statement comes near its timeout. */
const ROWS_AT_ONCE = 10_000

function* pieces<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}

function unnested(columns: TableShape['columns']): string {
  return `unnest(${columns.map(({ type }, i) => `$${i + 1}::${arrays[type]}`).join(', ')})`
}

function keysOf(table: TableShape, by: readonly string[]): string {
  const columns = by.map((name) => table.columns.find((column) => column.name === name)!)
  return `${unnested(columns)} as keys (${by.join(', ')})`
}

function equalTo({ name }: TableShape, by: readonly string[]): string {
  return by.map((column) => `${name}.${column} = keys.${column}`).join(' and ')
}

function transposed(rows: readonly (readonly Value[])[]): Value[][] {
  return rows[0]!.map((_, i) => rows.map((row) => row[i]!))
}
