// SQLite by the engine inside Node: one file in WAL mode, one connection that writes and one that reads, so that a
// reader neither waits for a writer nor sees half of a transaction.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { createLru } from '../lib/lru.ts'
import { createMutex } from '../lib/mutex.ts'
import type { Database, Queries, Row, Value } from './database.ts'

const BUSY_TIMEOUT_MS = 5_000
const STATEMENTS_KEPT = 500

export const openSqlite = (file: string): Database => {
  mkdirSync(dirname(file), { recursive: true })
  // For its owner only; the files that SQLite puts beside it take over its mode.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const writer = connect(file)
  const reader = connect(file)
  const writing = createMutex()
  const written = queriesOf(writer)
  const read = queriesOf(reader)
  return {
    engine: 'sqlite',
    all: read.all,
    run: (sql, values) => writing(() => written.run(sql, values)),
    transaction: (work) =>
      writing(async () => {
        writer.exec('begin immediate')
        try {
          const result = await work(written)
          writer.exec('commit')
          return result
        } catch (error) {
          writer.exec('rollback')
          throw error
        }
      }),
    close: async () => {
      await writing(async () => {
        reader.close()
        writer.close()
      })
    },
  }
}

const connect = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file)
  // Chain data can be fetched again, so a power cut may cost the last commits, never the file.
  for (const pragma of [`busy_timeout = ${BUSY_TIMEOUT_MS}`, 'journal_mode = wal', 'synchronous = normal']) {
    database.exec(`pragma ${pragma}`)
  }
  return database
}

const queriesOf = (database: DatabaseSync): Queries => {
  const statements = createLru<string, StatementSync>(STATEMENTS_KEPT)
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    all: async <R extends Row>(sql: string, values: readonly Value[] = []) => prepared(sql).all(named(values)) as R[],
    run: async (sql, values = []) => Number(prepared(sql).run(named(values)).changes),
  }
}

/** `$1` is a named parameter to SQLite. */
const named = (values: readonly Value[]): Record<string, Value> => {
  const parameters: Record<string, Value> = {}
  for (let i = 0; i < values.length; i++) parameters[`$${i + 1}`] = values[i]!
  return parameters
}
