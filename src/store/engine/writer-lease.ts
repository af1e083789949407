// The writer lock of PostgreSQL. The session of the writer holds an advisory lock, which ends with the session; so a writer that ends is
// followed at once. A writer that hangs, or whose connection is half open, holds its session: it also has a lease, a row that it renews,
// and when nobody renews it another process ends that session and takes over. The row carries the fencing number that every transaction
// of the writer checks.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Writer } from './database.ts'
import type { PostgresConnection, PostgresConnections } from './postgres-connections.ts'

/** An arbitrary number; it must never change, because processes of different versions share the lock. */
const ADVISORY_LOCK = 7_125_002
/** A writer that renews nothing for this long has lost the lock as soon as another process wants it. */
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 2_500
/** While a transaction of the old writer is being ended. */
const LOCK_TIMEOUT_MS = 2_000
const LOCK_NOT_AVAILABLE = '55P03'
const NOT_ALLOWED = '42501'

/** Another process is the writer now. Nothing of the transaction was written. */
export class WriterLockLost extends Error {
  override readonly name = 'WriterLockLost'
}

export type WriterLease = {
  readonly connection: PostgresConnection
  readonly fence: number
  readonly release: () => Promise<void>
}

/** The lease as it was last seen unchanged. Counted by the clock of this process alone, so clocks that jump or differ do no harm. */
type Sighting = { readonly fence: number; readonly renewals: number; readonly sinceMs: number; readonly holder: string }

type LeaseRow = {
  readonly holder: string
  readonly fence: number
  readonly renewals: number
  readonly backend: number
  /** Its session is still there. */
  readonly hasSession: boolean
  /** No third session has the advisory lock. A writer of an earlier version has it without a lease. */
  readonly isUncontested: boolean
}

export type WriterLeases = {
  /** Makes this process the writer; undefined while another process is. */
  acquire(): Promise<WriterLease | undefined>
  otherHolder(): Writer | undefined
}

export function createWriterLease(connections: PostgresConnections): WriterLeases {
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`
  let sighting: Sighting | undefined
  let isHeld = false

  const mayTake = (row: LeaseRow): boolean => {
    if (row.fence !== sighting?.fence || row.renewals !== sighting.renewals) {
      sighting = { fence: row.fence, renewals: row.renewals, sinceMs: performance.now(), holder: row.holder }
    }
    const isExpired = performance.now() - sighting.sinceMs >= LEASE_MS
    return row.holder === '' || row.holder === holder || !row.hasSession || isExpired
  }

  const take = async (connection: PostgresConnection): Promise<number | undefined> => {
    await connection.query({ text: 'select pg_try_advisory_lock($1)', values: [ADVISORY_LOCK] })
    const row = await leaseRow(connection)
    if (!mayTake(row) || !row.isUncontested) return undefined
    if (row.hasSession && row.holder !== '') await endSession(connection, row.backend)
    return takeOver(connection, row, holder)
  }

  const acquire = async (): Promise<WriterLease | undefined> => {
    if (isHeld) return undefined
    const connection = await connections.take()
    let fence: number | undefined
    try {
      fence = await take(connection)
    } finally {
      if (fence === undefined) connection.end()
    }
    if (fence === undefined) return undefined
    isHeld = true
    const renewing = renewAgainAndAgain(connections, fence)
    const release = async (): Promise<void> => {
      isHeld = false
      clearInterval(renewing)
      const text = `update writer_lease set holder = '' where name = 'chain' and fence = $1`
      await connection.query({ text, values: [fence] }).catch(() => undefined)
      connection.end()
    }
    return { connection, fence, release }
  }

  return {
    acquire,
    otherHolder() {
      if (isHeld || sighting === undefined) return undefined
      // The last part only tells threads and restarts of one process apart.
      const name = sighting.holder.split(':').slice(0, 2).join(':')
      return { holder: name, renewalAgeMs: Math.round(performance.now() - sighting.sinceMs) }
    },
  }
}

/**
 * The first statement of each transaction of the writer. The row stays locked until the commit, so nobody takes over in between. The lock
 * is the weakest one: the renewals, which change the row meanwhile, need not wait for it.
 */
export async function requireFence({ connection, fence }: WriterLease): Promise<void> {
  const { rowCount } = await connection.query({
    name: 'fence',
    text: `
      select 1
      from writer_lease
      where name = 'chain' and fence = $1
      for key share`,
    values: [fence],
  })
  if (rowCount !== 1) throw new WriterLockLost('the writer lock was taken over by another process')
}

async function leaseRow(connection: PostgresConnection): Promise<LeaseRow> {
  const { rows } = await connection.query({
    text: `
      select holder, fence, renewals, backend,
        exists (select 1 from pg_stat_activity where pid = backend) as "hasSession",
        not exists (
          select 1
          from pg_locks
          where locktype = 'advisory' and objid = $1 and granted and pid not in (backend, pg_backend_pid())
            and database = (select oid from pg_database where datname = current_database())
        ) as "isUncontested"
      from writer_lease
      where name = 'chain'`,
    values: [ADVISORY_LOCK],
  })
  return rows[0]
}

/** Where the role may not end the session, the fencing number alone must do. */
async function endSession(connection: PostgresConnection, backend: number): Promise<void> {
  try {
    await connection.query({ text: 'select pg_terminate_backend($1)', values: [backend] })
  } catch (error) {
    if ((error as { code?: string }).code !== NOT_ALLOWED) throw error
  }
}

/** Undefined where somebody else was faster, or the old writer is still in a transaction. */
async function takeOver(
  connection: PostgresConnection,
  { fence, renewals }: LeaseRow,
  holder: string,
): Promise<number | undefined> {
  try {
    await connection.query('begin')
    await connection.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    const { rowCount } = await connection.query({
      text: `
        select 1
        from writer_lease
        where name = 'chain' and fence = $1 and renewals = $2
        for update`,
      values: [fence, renewals],
    })
    const { rows } = await connection.query({
      text: `
        update writer_lease
        set holder = $2, fence = fence + 1, backend = pg_backend_pid(), renewals = 0
        where name = 'chain' and fence = $1
        returning fence`,
      values: [rowCount === 1 ? fence : -1, holder],
    })
    await connection.query('commit')
    // A writer that falls silent in the middle of a transaction must not keep its locks.
    await connection.query(`set idle_in_transaction_session_timeout = ${LEASE_MS}`)
    return rows[0]?.fence
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return undefined
    throw error
  }
}

/** Through a connection of its own, since a transaction of the writer may take longer than the lease. */
function renewAgainAndAgain(connections: PostgresConnections, fence: number): NodeJS.Timeout {
  let isRenewing = false
  const renew = async (): Promise<void> => {
    const connection = await connections.take()
    try {
      await connection.query({
        name: 'renew',
        text: `
          update writer_lease
          set renewals = renewals + 1
          where name = 'chain' and fence = $1`,
        values: [fence],
      })
      connection.giveBack()
    } catch {
      // The next transaction of the writer meets the same failure, and reports it.
      connection.end()
    }
  }
  const timer = setInterval(() => {
    if (isRenewing) return
    isRenewing = true
    renew()
      .catch(() => undefined)
      .finally(() => {
        isRenewing = false
      })
  }, RENEW_EVERY_MS)
  return timer.unref()
}
