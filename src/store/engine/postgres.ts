// PostgreSQL through a small pool. A statement is prepared under a name derived from its text, so the server plans it once per connection.
import { createHash } from 'node:crypto'
import { createMutex } from '../../lib/async/semaphore.ts'
import { isDatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { postgresBulk } from './bulk-postgres.ts'
import type { Database, Queries, Row, TransactionOptions, Value } from './database.ts'
import { createPostgresConnections, type PostgresConnection, type PostgresConnections } from './postgres-connections.ts'
import { createWriterLease, requireFence } from './writer-lease.ts'

/** Statements beyond this number are planned at each call. Page numbers stand in the texts, so there can be very many texts. */
const MAX_NAMED_STATEMENTS = 1_000

export async function openPostgres(options: Parameters<typeof createPostgresConnections>[0]): Promise<Database> {
  const connections = createPostgresConnections(options)
  const nameOf = createStatementNames(MAX_NAMED_STATEMENTS)
  const writerLease = createWriterLease(connections)
  const queries = queriesOf(nameOf, (statement) =>
    withConnection(connections, (connection) => connection.query(statement)),
  )
  const database: Database = {
    engine: 'postgres',
    ...queries,
    transaction: (work, { maxStatementMs }: TransactionOptions = {}) =>
      withConnection(
        connections,
        (connection) =>
          transactionOn(connection, async () => {
            // A number, so it cannot carry SQL; SET takes no parameters.
            if (maxStatementMs) await connection.query(`set local statement_timeout = ${Math.ceil(maxStatementMs)}`)
            return work(inTransaction(connection, nameOf))
          }),
        maxStatementMs,
      ),
    acquireWriterLock: async () => {
      const lease = await writerLease.acquire()
      if (lease === undefined) return undefined
      // All writes go through the session that holds the lock, and each transaction checks its fencing number before anything else: a
      // writer that has lost the lock cannot commit, however late it finds out.
      const exclusive = createMutex()
      const transaction: Database['transaction'] = (work) =>
        exclusive(() =>
          transactionOn(lease.connection, async () => {
            await requireFence(lease)
            return work(inTransaction(lease.connection, nameOf))
          }),
        )
      return { database: { ...database, ...fencedWrites(transaction), transaction }, release: lease.release }
    },
    writer: writerLease.otherHolder,
    connections: connections.figures,
    close: connections.close,
  }
  try {
    await database.all('select 1 as one')
  } catch (error) {
    await connections.close()
    throw error
  }
  return database
}

/** An error of the connection ends it; an error of the statement leaves it in order. */
async function withConnection<T>(
  connections: PostgresConnections,
  work: (connection: PostgresConnection) => Promise<T>,
  deadlineMs?: number,
): Promise<T> {
  const connection = await connections.take(deadlineMs)
  let isBroken = false
  try {
    return await work(connection)
  } catch (error) {
    isBroken = isDatabaseUnavailable(error)
    throw error
  } finally {
    if (isBroken) connection.end()
    else connection.giveBack()
  }
}

async function transactionOn<T>(connection: PostgresConnection, work: () => Promise<T>): Promise<T> {
  try {
    await connection.query('begin')
    const result = await work()
    await connection.query('commit')
    return result
  } catch (error) {
    // Where this fails the connection is broken, and the pool closes it.
    await connection.query('rollback').catch(() => undefined)
    throw error
  }
}

function inTransaction(connection: PostgresConnection, nameOf: StatementNames): Queries {
  const queries = queriesOf(nameOf, connection.query)
  return {
    ...queries,
    insert: (table, rows, onConflict) =>
      onConflict || rows.length === 0 ? queries.insert(table, rows, onConflict) : connection.copy(table, rows),
  }
}

function fencedWrites(transaction: Database['transaction']): Pick<Queries, 'run' | 'insert' | 'remove'> {
  return {
    run: (...args) => transaction((queries) => queries.run(...args)),
    insert: (...args) => transaction((queries) => queries.insert(...args)),
    remove: (...args) => transaction((queries) => queries.remove(...args)),
  }
}

function queriesOf(nameOf: StatementNames, send: PostgresConnection['query']): Queries {
  const query = (sql: string, values: readonly unknown[]) => send({ ...nameOf(sql), text: sql, values: [...values] })
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
