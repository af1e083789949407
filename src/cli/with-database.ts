import type { Config } from '../app/options.ts'
import type { Database } from '../store/engine/database.ts'
import { migrate } from '../store/engine/migrate.ts'
import { openDatabase } from '../store/engine/open.ts'

/** For a command that looks something up or changes something, and ends: the database, migrated, and closed afterwards. */
export async function withDatabase<T>(
  { DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  work: (database: Database, migrations: readonly string[]) => Promise<T>,
): Promise<T> {
  // A connection that is dropped while idle is made anew; one that breaks in use fails its query.
  const database = await openDatabase({ url: DATABASE_URL, dataDir: DATA_DIR, onIdleError: () => {} })
  try {
    return await work(database, await migrate(database, Date.now()))
  } finally {
    await database.close()
  }
}
