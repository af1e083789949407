// SQLite by the engine inside Node: one file in WAL mode with one connection that writes and one that reads. A reader neither waits for
// a writer nor sees half of a transaction.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { createMutex } from '../../lib/async/semaphore.ts'
import { sqliteBulk } from './bulk-sqlite.ts'
import type { Database, Queries, Row, Value } from './database.ts'
import { isBusy, lockFile } from './writer-lock.ts'

const BUSY_TIMEOUT_MS = 5_000
const MAX_PREPARED_STATEMENTS = 500
const CACHE_KIB = 65_536
/** Pages in the write-ahead log before it is copied into the file. Fewer and longer copies delay the blocks at the head less. */
const CHECKPOINT_PAGES = 8_000

export function openSqlite(file: string): Database {
  mkdirSync(dirname(file), { recursive: true })
  // Only the owner may read it; the files that SQLite creates beside it get the same mode.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const writer = connect(file)
  const reader = connect(file)
  const exclusive = createMutex()
  const writes = queriesOf(writer)
  const reads = queriesOf(reader)
  const version = reader.prepare('pragma data_version')
  const database: Database = {
    engine: 'sqlite',
    all: reads.all,
    lookup: reads.lookup,
    commits: () => version.get()!.data_version as number,
    run: (sql, values) => exclusive(() => writes.run(sql, values)),
    insert: (table, rows, onConflict) => exclusive(() => writes.insert(table, rows, onConflict)),
    remove: (table, by, keys) => exclusive(() => writes.remove(table, by, keys)),
    transaction: (work) =>
      exclusive(async () => {
        writer.exec('begin immediate')
        try {
          const result = await work(writes)
          writer.exec('commit')
          return result
        } catch (error) {
          // On a full disk SQLite has rolled the transaction back already.
          if (writer.isTransaction) writer.exec('rollback')
          throw error
        }
      }),
    acquireWriterLock: async () => {
      const release = lockFile(`${file}-writer`)
      return release && { database, release }
    },
    close: async () => {
      await exclusive(async () => {
        reader.close()
        writer.close()
      })
    },
  }
  return database
}

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  // With `synchronous = normal` a power cut may lose the last commits, but never damages the file; chain data can be fetched again.
  const pragmas = [
    `busy_timeout = ${BUSY_TIMEOUT_MS}`,
    'journal_mode = wal',
    'synchronous = normal',
    `cache_size = -${CACHE_KIB}`,
    `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  ]
  for (const pragma of pragmas) retryWhileBusy(() => database.exec(`pragma ${pragma}`))
  return database
}

/** SQLite does not wait by itself when several processes switch a new file to WAL at the same time. */
function retryWhileBusy(work: () => void): void {
  for (const deadlineMs = Date.now() + BUSY_TIMEOUT_MS; ; Atomics.wait(NEVER_NOTIFIED, 0, 0, BUSY_RETRY_MS)) {
    try {
      work()
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadlineMs) throw error
    }
  }
}

const BUSY_RETRY_MS = 5
/** Nobody changes it, so waiting for a change is a sleep that blocks the thread. */
const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4))

function queriesOf(database: DatabaseSync): Queries {
  const statements = new LRUCache<string, StatementSync>({ max: MAX_PREPARED_STATEMENTS })
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const numberedStatements = new LRUCache<string, NumberedStatement>({ max: MAX_PREPARED_STATEMENTS })
  const numberedStatement = (sql: string): NumberedStatement => {
    const known = numberedStatements.get(sql)
    if (known) return known
    const { text, order } = withoutNumbers(sql)
    const created = { statement: database.prepare(text), order }
    numberedStatements.set(sql, created)
    return created
  }
  return {
    all: async <R extends Row>(sql: string, values: readonly Value[] = []) => {
      const { statement, order } = numberedStatement(sql)
      return statement.all(...inOrder(values, order)) as R[]
    },
    run: async (sql, values = []) => {
      const { statement, order } = numberedStatement(sql)
      return Number(statement.run(...inOrder(values, order)).changes)
    },
    ...sqliteBulk(prepared),
  }
}

type NumberedStatement = { readonly statement: StatementSync; readonly order: readonly number[] }

/** Replaces `$1` by `?`: SQLite takes `$1` for a named parameter, which costs more to bind. */
function withoutNumbers(sql: string): { text: string; order: number[] } {
  const order: number[] = []
  const text = sql.replace(/\$(\d+)/g, (_, number) => {
    order.push(Number(number) - 1)
    return '?'
  })
  return { text, order }
}

function inOrder(values: readonly Value[], order: readonly number[]): readonly Value[] {
  return order.length === values.length && order.every((index, i) => index === i)
    ? values
    : order.map((index) => values[index]!)
}
