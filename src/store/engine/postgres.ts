// PostgreSQL through a small pool. Statements are named by their text, so the server keeps their plans.
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { createMutex } from '../../lib/async/mutex.ts'
import { DatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { postgresBulk } from './bulk-postgres.ts'
import { copyInto } from './copy-postgres.ts'
import type { Database, Queries, Row, Value } from './database.ts'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
const INT8 = 20
/** Any number will do, as long as it stays. */
const WRITER_LOCK = 7_125_002
/** Texts beyond these are planned each time: a page number in a text makes many of them. */
const MAX_NAMED_STATEMENTS = 1_000
/** Connection refused, no such host, too many connections, shutting down, wrong password, no such database. */
const UNAVAILABLE = /^(ECONN|ENOTFOUND|ETIMEDOUT|EAI_|EPIPE|53|57P0|28|3D000)/

export async function openPostgres(url: string, onIdleError: (error: Error) => void): Promise<Database> {
  const types = new pg.TypeOverrides()
  // Heights, times and positions are safe integers.
  types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: 2 * availableParallelism(),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'firstlight',
    types,
  })
  // An idle connection that the server drops must not take the process down; the pool makes a new one.
  pool.on('error', onIdleError)
  // One that breaks while in use fails its query, and whoever asked hears of it there.
  pool.on('connect', (client) => client.on('error', () => {}))
  const database: Database = {
    engine: 'postgres',
    ...queriesOf(pool),
    transaction: async (work) => {
      const client = await available(pool.connect())
      let isBroken = false
      try {
        return await transactionOn(client, work, () => {
          isBroken = true
        })
      } finally {
        client.release(isBroken)
      }
    },
    acquireWriterLock: async () => {
      const client = await available(pool.connect())
      const { rows } = await available(client.query('select pg_try_advisory_lock($1) as "isOurs"', [WRITER_LOCK]))
      if (!rows[0].isOurs) {
        client.release(true)
        return undefined
      }
      // The session that writes is the one that holds the lock: should it end, another process may be the writer, and nothing
      // of what this one had under way comes to pass.
      const oneByOne = createMutex()
      const transaction: Database['transaction'] = (work) => oneByOne(() => transactionOn(client, work, () => {}))
      return { database: { ...database, transaction }, release: async () => client.release(true) }
    },
    close: () => pool.end(),
  }
  try {
    await database.all('select 1 as one')
  } catch (error) {
    await pool.end()
    throw error
  }
  return database
}

async function transactionOn<T>(
  client: pg.PoolClient,
  work: (queries: Queries) => Promise<T>,
  onBroken: () => void,
): Promise<T> {
  try {
    await available(client.query('begin'))
    const result = await work(inTransaction(client))
    await available(client.query('commit'))
    return result
  } catch (error) {
    await client.query('rollback').catch(onBroken)
    throw error
  }
}

function inTransaction(client: pg.PoolClient): Queries {
  const queries = queriesOf(client)
  return {
    ...queries,
    insert: (table, rows, onConflict) =>
      onConflict || rows.length === 0
        ? queries.insert(table, rows, onConflict)
        : available(copyInto(client, table, rows)),
  }
}

function queriesOf(connection: pg.Pool | pg.PoolClient): Queries {
  const query = (sql: string, values: readonly unknown[]) =>
    available(connection.query({ ...nameOf(sql), text: sql, values: [...values] }))
  return {
    all: async <R extends Row>(sql: string, values: readonly Value[] = []) => (await query(sql, values)).rows as R[],
    run: async (sql, values = []) => (await query(sql, values)).rowCount ?? 0,
    ...postgresBulk(query),
  }
}

const names = new Map<string, string>()
function nameOf(sql: string): { name?: string } {
  const known = names.get(sql)
  if (known !== undefined) return { name: known }
  if (names.size >= MAX_NAMED_STATEMENTS || /\boffset [1-9]/.test(sql)) return {}
  const name = createHash('sha1').update(sql).digest('hex')
  names.set(sql, name)
  return { name }
}

async function available<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (UNAVAILABLE.test(code) || /timeout|terminated|not queryable/i.test(message)) {
      throw new DatabaseUnavailable(`PostgreSQL does not answer: ${message || code}`, { cause: error })
    }
    throw error
  }
}
