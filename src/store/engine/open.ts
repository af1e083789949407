import { join } from 'node:path'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** PostgreSQL where a URL is given, otherwise a SQLite file in the data folder. */
export async function openDatabase(options: {
  url: string | undefined
  dataDir: string
  onIdleError: (error: Error) => void
}): Promise<Database> {
  return options.url === undefined
    ? openSqlite(join(options.dataDir, 'firstlight.sqlite'))
    : openPostgres(options.url, options.onIdleError)
}
