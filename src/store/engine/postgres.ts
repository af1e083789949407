// PostgreSQL through a small pool. A statement is prepared under a name derived from its text, so the server plans it once per connection.
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { createMutex } from '../../lib/async/semaphore.ts'
import { DatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { copyInto, postgresBulk } from './bulk-postgres.ts'
import type { Database, Queries, Row, Value } from './database.ts'
import { tryAdvisoryLock } from './writer-lock.ts'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
const INT8 = 20
/** Statements beyond this number are planned at each call. Page numbers stand in the texts, so there can be very many texts. */
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
  // When the server drops an idle connection the process must go on; the pool opens a new connection.
  pool.on('error', onIdleError)
  // When a connection breaks while it is used, its query fails and the caller gets that error.
  pool.on('connect', (client) => client.on('error', () => {}))
  const nameOf = createStatementNames(MAX_NAMED_STATEMENTS)
  const database: Database = {
    engine: 'postgres',
    ...queriesOf(pool, nameOf),
    transaction: async (work) => {
      const client = await orUnavailable(pool.connect())
      let isBroken = false
      try {
        return await transactionOn({ client, nameOf }, work, () => {
          isBroken = true
        })
      } finally {
        client.release(isBroken)
      }
    },
    acquireWriterLock: async () => {
      const client = await orUnavailable(pool.connect())
      if (!(await orUnavailable(tryAdvisoryLock(client)))) {
        client.release(true)
        return undefined
      }
      // All writes go through the session that holds the lock. When the session ends, another process may become the writer, and the
      // server has rolled back every transaction of this one.
      const exclusive = createMutex()
      const transaction: Database['transaction'] = (work) =>
        exclusive(() => transactionOn({ client, nameOf }, work, () => {}))
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

type Session = { readonly client: pg.PoolClient; readonly nameOf: StatementNames }

async function transactionOn<T>(
  session: Session,
  work: (queries: Queries) => Promise<T>,
  onBroken: () => void,
): Promise<T> {
  const { client } = session
  try {
    await orUnavailable(client.query('begin'))
    const result = await work(inTransaction(session))
    await orUnavailable(client.query('commit'))
    return result
  } catch (error) {
    await client.query('rollback').catch(onBroken)
    throw error
  }
}

function inTransaction({ client, nameOf }: Session): Queries {
  const queries = queriesOf(client, nameOf)
  return {
    ...queries,
    insert: (table, rows, onConflict) =>
      onConflict || rows.length === 0
        ? queries.insert(table, rows, onConflict)
        : orUnavailable(copyInto(client, table, rows)),
  }
}

function queriesOf(connection: pg.Pool | pg.PoolClient, nameOf: StatementNames): Queries {
  const query = (sql: string, values: readonly unknown[]) =>
    orUnavailable(connection.query({ ...nameOf(sql), text: sql, values: [...values] }))
  return {
    all: async <R extends Row>(sql: string, values: readonly Value[] = []) => (await query(sql, values)).rows as R[],
    run: async (sql, values = []) => (await query(sql, values)).rowCount ?? 0,
    ...postgresBulk(query),
  }
}

/** Without a name the statement is planned at this call only. */
type StatementNames = (sql: string) => { readonly name?: string }

function createStatementNames(maxNames: number): StatementNames {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined) return { name: known }
    if (names.size >= maxNames || /\boffset [1-9]/.test(sql)) return {}
    const name = createHash('sha1').update(sql).digest('hex')
    names.set(sql, name)
    return { name }
  }
}

/** Maps errors of the connection to `DatabaseUnavailable`. */
async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
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
