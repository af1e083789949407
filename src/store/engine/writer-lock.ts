// How the two engines hold the writer lock: one process at a time writes the chain into the store. Both locks end with the process,
// in whatever way it ends.
import { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import type { WriterLock } from './database.ts'

/** An arbitrary number; it must never change, because processes of different versions share the lock. */
const ADVISORY_LOCK = 7_125_002
const SQLITE_BUSY = 5

/** PostgreSQL: the session of `client` holds the lock until it ends. False while another session holds it. */
export async function tryAdvisoryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as acquired', [ADVISORY_LOCK])
  return rows[0].acquired
}

/** SQLite: holds a transaction open on a separate file. Undefined while another process holds it. */
export function lockFile(file: string): WriterLock['release'] | undefined {
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

export function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY
}
