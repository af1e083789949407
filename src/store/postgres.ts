// PostgreSQL through a small pool. Statements are named by their text, so the server keeps their plans.
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { type Database, DatabaseUnavailable, type Queries, type Row, type Value } from './database.ts'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
const INT8 = 20
/** Connection refused, no such host, too many connections, shutting down, wrong password, no such database. */
const UNAVAILABLE = /^(ECONN|ENOTFOUND|ETIMEDOUT|EAI_|EPIPE|53|57P0|28|3D000)/

export const openPostgres = async (url: string, onIdleError: (error: Error) => void): Promise<Database> => {
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
  const database: Database = {
    engine: 'postgres',
    ...queriesOf(pool),
    transaction: async (work) => {
      const client = await available(pool.connect())
      try {
        await client.query('begin')
        const result = await work(queriesOf(client))
        await client.query('commit')
        client.release()
        return result
      } catch (error) {
        const broken = await client.query('rollback').then(
          () => false,
          () => true,
        )
        client.release(broken)
        throw error
      }
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

const queriesOf = (connection: pg.Pool | pg.PoolClient): Queries => {
  const query = (sql: string, values: readonly Value[]) =>
    available(connection.query({ name: nameOf(sql), text: sql, values: [...values] }))
  return {
    all: async <R extends Row>(sql: string, values: readonly Value[] = []) => (await query(sql, values)).rows as R[],
    run: async (sql, values = []) => (await query(sql, values)).rowCount ?? 0,
  }
}

const names = new Map<string, string>()
const nameOf = (sql: string): string => {
  let name = names.get(sql)
  if (name === undefined) {
    name = createHash('sha1').update(sql).digest('hex')
    names.set(sql, name)
  }
  return name
}

const available = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (UNAVAILABLE.test(code) || /timeout|terminated/i.test(message)) {
      throw new DatabaseUnavailable(`PostgreSQL does not answer: ${message || code}`, { cause: error })
    }
    throw error
  }
}
