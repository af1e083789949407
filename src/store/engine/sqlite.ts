// SQLite by the engine inside Node: one file in WAL mode, one connection that writes and one that reads, so that a
// reader neither waits for a writer nor sees half of a transaction.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { createMutex } from '../../lib/async/mutex.ts'
import { createLru } from '../../lib/cache/lru.ts'
import { sqliteBulk } from './bulk-sqlite.ts'
import type { Database, Queries, Row, Value, WriterLock } from './database.ts'

const BUSY_TIMEOUT_MS = 5_000
const STATEMENTS_KEPT = 500
const CACHE_KIB = 65_536
/** Pages in the log before it is copied into the file: fewer, longer copies cost the head less. */
const CHECKPOINT_PAGES = 8_000
const SQLITE_BUSY = 5

export function openSqlite(file: string): Database {
  mkdirSync(dirname(file), { recursive: true })
  // For its owner only; the files that SQLite puts beside it take over its mode.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const writer = connect(file)
  const reader = connect(file)
  const writing = createMutex()
  const written = queriesOf(writer)
  const read = queriesOf(reader)
  const version = reader.prepare('pragma data_version')
  const database: Database = {
    engine: 'sqlite',
    all: read.all,
    lookup: read.lookup,
    commits: () => version.get()!.data_version as number,
    run: (sql, values) => writing(() => written.run(sql, values)),
    insert: (table, rows, onConflict) => writing(() => written.insert(table, rows, onConflict)),
    remove: (table, by, keys) => writing(() => written.remove(table, by, keys)),
    transaction: (work) =>
      writing(async () => {
        writer.exec('begin immediate')
        try {
          const result = await work(written)
          writer.exec('commit')
          return result
        } catch (error) {
          // A full disk has ended the transaction already.
          if (writer.isTransaction) writer.exec('rollback')
          throw error
        }
      }),
    acquireWriterLock: async () => {
      const release = lock(`${file}-writer`)
      return release && { database, release }
    },
    close: async () => {
      await writing(async () => {
        reader.close()
        writer.close()
      })
    },
  }
  return database
}

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  // Chain data can be fetched again, so a power cut may cost the last commits, never the file.
  const pragmas = [
    `busy_timeout = ${BUSY_TIMEOUT_MS}`,
    'journal_mode = wal',
    'synchronous = normal',
    `cache_size = -${CACHE_KIB}`,
    `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  ]
  for (const pragma of pragmas) onceFree(() => database.exec(`pragma ${pragma}`))
  return database
}

/** Processes that make a new file together are in each other's way while each turns it to WAL, and there SQLite itself does not wait. */
function onceFree(work: () => void): void {
  for (const giveUpMs = Date.now() + BUSY_TIMEOUT_MS; ; Atomics.wait(STILL, 0, 0, LOOK_AGAIN_MS)) {
    try {
      work()
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > giveUpMs) throw error
    }
  }
}

const LOOK_AGAIN_MS = 5
/** Nobody ever changes it, so that waiting for it is sleeping. */
const STILL = new Int32Array(new SharedArrayBuffer(4))

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY
}

/** A transaction held open on a file of its own: the system lets go of it however the process ends. */
function lock(file: string): WriterLock['release'] | undefined {
  const holder = new DatabaseSync(file)
  try {
    holder.exec('begin exclusive')
  } catch (error) {
    holder.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return async () => holder.close()
}

function queriesOf(database: DatabaseSync): Queries {
  const statements = createLru<string, StatementSync>(STATEMENTS_KEPT)
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const numbered = createLru<string, Numbered>(STATEMENTS_KEPT)
  const numberedOf = (sql: string): Numbered => {
    const known = numbered.get(sql)
    if (known) return known
    const { text, order } = inPlaces(sql)
    const made = { statement: database.prepare(text), order }
    numbered.set(sql, made)
    return made
  }
  return {
    all: async <R extends Row>(sql: string, values: readonly Value[] = []) => {
      const { statement, order } = numberedOf(sql)
      return statement.all(...placed(values, order)) as R[]
    },
    run: async (sql, values = []) => {
      const { statement, order } = numberedOf(sql)
      return Number(statement.run(...placed(values, order)).changes)
    },
    ...sqliteBulk(prepared),
  }
}

type Numbered = { readonly statement: StatementSync; readonly order: readonly number[] }

/** `$1` is a named parameter to SQLite, and names cost more to bind than places do. */
function inPlaces(sql: string): { text: string; order: number[] } {
  const order: number[] = []
  const text = sql.replace(/\$(\d+)/g, (_, number) => {
    order.push(Number(number) - 1)
    return '?'
  })
  return { text, order }
}

function placed(values: readonly Value[], order: readonly number[]): readonly Value[] {
  return order.length === values.length && order.every((place, i) => place === i)
    ? values
    : order.map((place) => values[place]!)
}
