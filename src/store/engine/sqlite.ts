// SQLite by the engine inside Node: one file in WAL mode with one connection that writes and one that reads. A reader neither waits for
// a writer nor sees half of a transaction.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { createMutex } from '../../lib/async/semaphore.ts'
import { DatabaseUnavailable, type StorageProblem } from '../../lib/database-unavailable.ts'
import { sqliteBulk } from './bulk-sqlite.ts'
import type { Database, Queries, Row, Value } from './database.ts'
import { createWriterFile, isBusy } from './writer-lock.ts'

const BUSY_TIMEOUT_MS = 5_000
const MAX_PREPARED_STATEMENTS = 500
/** Of each connection; the system caches the file as well. */
const CACHE_KIB = 24_576
/** Pages in the write-ahead log before it is copied into the file. Fewer and longer copies delay the blocks at the head less. */
const CHECKPOINT_PAGES = 8_000

export function openSqlite(file: string): Database {
  mkdirSync(dirname(file), { recursive: true })
  // Only the owner may read it; the files that SQLite creates beside it get the same mode.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const writer = connect(file)
  const reader = connect(file)
  // What waits for the file waits without holding up its thread.
  writer.exec('pragma busy_timeout = 0')
  const writerFile = createWriterFile(`${file}-writer`)
  const exclusive = createMutex()
  const writes = queriesOf(writer)
  const reads = queriesOf(reader)
  const version = reader.prepare('pragma data_version')
  const transaction: Database['transaction'] = (work) =>
    exclusive(async () => {
      await whenFree(async () => writer.exec('begin immediate'))
      try {
        const result = await work(writes)
        writer.exec('commit')
        return result
      } catch (error) {
        // On a full disk SQLite has rolled the transaction back already.
        if (writer.isTransaction) writer.exec('rollback')
        throw explained(error)
      }
    })
  const database: Database = {
    engine: 'sqlite',
    all: reads.all,
    lookup: reads.lookup,
    commits: () => version.get()!.data_version as number,
    run: (sql, values) => exclusive(() => whenFree(() => writes.run(sql, values))),
    insert: (table, rows, onConflict) => transaction((queries) => queries.insert(table, rows, onConflict)),
    remove: (table, by, keys) => transaction((queries) => queries.remove(table, by, keys)),
    transaction,
    acquireWriterLock: async () => {
      const release = writerFile.lock()
      return release && { database, release }
    },
    writer: writerFile.otherHolder,
    close: async () => {
      await exclusive(async () => {
        reader.close()
        writer.close()
      })
    },
  }
  return database
}

/** Waits for the process that writes to the file now. */
async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  for (const deadlineMs = performance.now() + BUSY_TIMEOUT_MS; ; await pause(BUSY_RETRY_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadlineMs) throw explained(error)
    }
  }
}

/** What an operator can do something about, in words. */
function explained(error: unknown): unknown {
  const code = ((error as { errcode?: number }).errcode ?? 0) & PRIMARY_CODE
  const known = EXPLANATIONS[code]
  if (known === undefined) return error
  return new DatabaseUnavailable(`${known.what} (${(error as Error).message})`, {
    cause: error,
    problem: known.problem,
  })
}

const PRIMARY_CODE = 0xff
const EXPLANATIONS: Readonly<Record<number, { readonly what: string; readonly problem: StorageProblem | null }>> = {
  5: { what: `another writer locked the SQLite file for ${BUSY_TIMEOUT_MS / 1000} s`, problem: 'locked' },
  8: { what: 'the SQLite file cannot be written to', problem: 'read-only' },
  10: { what: 'the file system refuses to read or write the SQLite file', problem: 'read-only' },
  13: { what: 'the disk of DATA_DIR is full', problem: 'full' },
  14: { what: 'the SQLite file cannot be opened', problem: null },
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
  for (const deadlineMs = performance.now() + BUSY_TIMEOUT_MS; ; Atomics.wait(NEVER_NOTIFIED, 0, 0, BUSY_RETRY_MS)) {
    try {
      work()
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadlineMs) throw error
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
