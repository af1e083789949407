// The writer lock of SQLite: one process at a time writes the chain into the file. It ends with the process, in whatever way it ends.
import { DatabaseSync } from 'node:sqlite'
import type { WriterLock } from './database.ts'

const SQLITE_BUSY = 5

/** Holds a transaction open on a separate file. Undefined while another process holds it. */
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
