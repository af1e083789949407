// The connections to PostgreSQL. A connection can be half open: the server, or the network on the way to it, is gone and nothing says so.
// So every statement is watched. When it stays silent, a new connection asks the server whether it still works on it; if it does not, the
// connection is dropped, its statement fails, and the pool opens another one.

import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { DatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { copyInto } from './bulk-postgres.ts'
import type { ConnectionFigures, TableShape, Value } from './database.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** The client waits so much longer than the server lets a statement run, since the server's word on it has to arrive. */
const DEADLINE_AFTER_MS = 1_500
/** The server is asked about a statement that has been silent for this time. With the two limits below a dead connection is seen within 10 s. */
const ASK_AFTER_MS = 4_000
const ASK_CONNECT_MS = 3_000
const ASK_ANSWER_MS = 3_000
const KEEP_ALIVE_AFTER_MS = 5_000
const INT8 = 20
const DISK_FULL = '53100'
/** Connection refused, no such host, too many connections, shutting down, wrong password, no such database. */
const UNAVAILABLE = /^(ECONN|ENOTFOUND|ETIMEDOUT|EAI_|EPIPE|53|57P0|25P03|28|3D000)/

export type PostgresConnection = {
  query: (statement: pg.QueryConfig | string) => Promise<pg.QueryResult>
  /** Must be in a transaction. */
  copy: (table: TableShape, rows: readonly (readonly Value[])[]) => Promise<void>
  /** Ends it, or gives it back to the pool. */
  end: () => void
  giveBack: () => void
}

export type PostgresConnections = {
  /** From the pool. Statements fail after `deadlineMs`, whatever the server says. */
  take: (deadlineMs?: number) => Promise<PostgresConnection>
  figures: () => ConnectionFigures
  close: () => Promise<void>
}

/** The server ends a statement after `maxStatementMs`. */
export function createPostgresConnections(options: {
  readonly url: string
  readonly maxStatementMs: number
  readonly onIdleError: (error: Error) => void
}): PostgresConnections {
  const { url, maxStatementMs, onIdleError } = options
  const types = new pg.TypeOverrides()
  // Heights, times and positions are safe integers.
  types.setTypeParser(INT8, Number)
  const connecting = {
    connectionString: url,
    application_name: 'firstlight',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  }
  const pool = new pg.Pool({
    ...connecting,
    max: 2 * availableParallelism(),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: maxStatementMs,
    types,
  })
  /** Each open connection: the process of the server that serves it, once it is known, and whether it is in use. */
  const open = new Map<pg.PoolClient, { backend: number | undefined; isIdle: boolean; isLost: boolean }>()
  /** Since when nothing has come or gone on connections that wait for an answer. */
  const silentSinceMs = new Map<pg.PoolClient, number>()
  let lost = 0
  // When the server drops an idle connection the process must go on; the pool opens a new connection.
  pool.on('error', onIdleError)
  pool.on('connect', (client) => {
    const entry = { backend: undefined as number | undefined, isIdle: false, isLost: false }
    open.set(client, entry)
    // When a connection breaks while it is used, its query fails and the caller gets that error.
    client.on('error', () => {
      if (!entry.isLost) lost++
      entry.isLost = true
    })
    // A connection pooler on the way makes up the number in the client, so the server is asked for its own.
    client.query('select pg_backend_pid() as pid').then(
      ({ rows }) => {
        entry.backend = rows[0].pid
      },
      () => {},
    )
  })
  pool.on('acquire', (client) => setIdle(client, false))
  pool.on('release', (_error, client) => setIdle(client, true))
  pool.on('remove', (client) => open.delete(client))
  const setIdle = (client: pg.PoolClient, isIdle: boolean): void => {
    const entry = open.get(client)
    if (entry) entry.isIdle = isIdle
  }

  /** The network that swallowed one connection has probably swallowed those that wait beside it. */
  const drop = (client: pg.PoolClient, silentMs: number): void => {
    const failure = Object.assign(new Error(`no answer for ${Math.round(silentMs / 1000)} s, connection dropped`), {
      code: 'ETIMEDOUT',
    })
    socketOf(client).destroy(failure)
    for (const [other, { isIdle }] of open) if (isIdle) socketOf(other).destroy(failure)
  }

  /** By a new connection. */
  const ask = async (text: string, backend: number): Promise<pg.QueryResult> => {
    const asking = new pg.Client({
      ...connecting,
      connectionTimeoutMillis: ASK_CONNECT_MS,
      query_timeout: ASK_ANSWER_MS,
    })
    asking.on('error', () => {})
    try {
      await asking.connect()
      return await asking.query(text, [backend])
    } finally {
      socketOf(asking).destroy()
    }
  }

  /** Whether the server still works on the statement of a connection. It answers nothing about a connection that it has forgotten. */
  const isWorking = async (client: pg.PoolClient): Promise<boolean> => {
    try {
      // A server that waits for the client, or sends to it, while nothing arrives here has lost it.
      const { rowCount } = await ask(
        `select 1
        from pg_stat_activity
        where pid = $1 and state in ('active', 'disabled') and wait_event_type is distinct from 'Client'`,
        open.get(client)?.backend ?? 0,
      )
      return rowCount === 1
    } catch (error) {
      // A server that says it has no connection left is alive.
      return /^53/.test((error as { code?: string }).code ?? '')
    }
  }

  /** A process of the server that hangs in a statement has locks, and must not go on with it later. A role without the right leaves it. */
  const endBackend = (client: pg.PoolClient): void => {
    const backend = open.get(client)?.backend
    if (backend !== undefined) ask('select pg_terminate_backend($1)', backend).catch(() => undefined)
  }

  const watched = async <T>(client: pg.PoolClient, deadlineMs: number, answer: Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    let isSettled = false
    let traffic = trafficOf(client)
    let timer: NodeJS.Timeout | undefined
    const lookAgain = (): void => {
      const leftMs = deadlineMs - (performance.now() - startedMs)
      timer = setTimeout(look, leftMs > 0 ? Math.min(ASK_AFTER_MS, leftMs) : ASK_AFTER_MS)
    }
    const look = async (): Promise<void> => {
      const isMoving = traffic !== trafficOf(client)
      traffic = trafficOf(client)
      if (isMoving) silentSinceMs.set(client, performance.now())
      const isLate = performance.now() - startedMs >= deadlineMs
      const isAlive = !isLate && (isMoving || (await isWorking(client)))
      if (isSettled) return
      if (isAlive || traffic !== trafficOf(client)) return lookAgain()
      if (isLate) endBackend(client)
      drop(client, performance.now() - startedMs)
    }
    silentSinceMs.set(client, startedMs)
    lookAgain()
    try {
      return await orUnavailable(answer)
    } finally {
      isSettled = true
      silentSinceMs.delete(client)
      clearTimeout(timer)
    }
  }

  return {
    take: async (deadlineMs = maxStatementMs + DEADLINE_AFTER_MS) => {
      const client = await orUnavailable(pool.connect())
      return {
        query: (statement) => watched(client, deadlineMs, client.query(statement)),
        copy: (table, rows) => watched(client, deadlineMs, copyInto(client, table, rows)),
        end: () => client.release(true),
        giveBack: () => client.release(),
      }
    },
    figures: () => {
      const nowMs = performance.now()
      return { lost, silentMs: Math.round(nowMs - Math.min(nowMs, ...silentSinceMs.values())) }
    },
    close: () => pool.end(),
  }
}

function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/** Changes whenever bytes have come or gone. */
function trafficOf(client: pg.ClientBase): string {
  const { bytesRead, writableLength } = socketOf(client)
  return `${bytesRead}/${writableLength}`
}

/** Maps errors of the connection to `DatabaseUnavailable`. */
async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (code === DISK_FULL)
      throw new DatabaseUnavailable(`the disk of PostgreSQL is full: ${message}`, { cause: error, problem: 'full' })
    if (UNAVAILABLE.test(code) || /timeout|terminated|not queryable/i.test(message)) {
      throw new DatabaseUnavailable(`PostgreSQL does not answer: ${message || code}`, { cause: error })
    }
    throw error
  }
}
