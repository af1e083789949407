// Many rows at once in SQLite: one prepared statement runs for each row. The engine is in the process, so a call costs a microsecond.
import type { StatementSync } from 'node:sqlite'
import type { Queries, Row } from './database.ts'

export type BulkQueries = Pick<Queries, 'insert' | 'lookup' | 'remove'>

export function sqliteBulk(prepared: (sql: string) => StatementSync): BulkQueries {
  return {
    insert: async ({ name, columns }, rows, onConflict) => {
      const names = columns.map((column) => column.name).join(', ')
      const statement = prepared(`
        insert into ${name} (${names})
        values (${columns.map(() => '?').join(', ')})
        ${onConflict ? `on conflict ${onConflict}` : ''}`)
      for (const row of rows) statement.run(...row)
    },
    lookup: async <R extends Row>(...[{ name }, select, by, keys]: Parameters<Queries['lookup']>) => {
      const statement = prepared(`
        select ${select}
        from ${name}
        where ${keysMatch(by)}`)
      return keys.flatMap((key) => statement.all(...key) as R[])
    },
    remove: async ({ name }, by, keys) => {
      const statement = prepared(`
        delete from ${name}
        where ${keysMatch(by)}`)
      for (const key of keys) statement.run(...key)
    },
  }
}

function keysMatch(by: readonly string[]): string {
  return by.map((column) => `${column} = ?`).join(' and ')
}
