// The database of a server, and the database of a command that ends.
import type { Part } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { refuseNewerIndex } from '../store/chain/derivations.ts'
import type { Database } from '../store/engine/database.ts'
import { migrate } from '../store/engine/migrate.ts'
import { openDatabase } from '../store/engine/open.ts'
import type { Config } from './options.ts'

/** No request waits longer for its answer, and a process of PostgreSQL that hangs is seen soon after it. */
const MAX_STATEMENT_MS = 10_000

type DatabaseSettings = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>

export function databasePart({ DATABASE_URL, DATA_DIR }: DatabaseSettings, log: Log): Part<Database> {
  return {
    name: 'database',
    start: async () => {
      const database = await openDatabase({
        url: DATABASE_URL,
        dataDir: DATA_DIR,
        onIdleError: (error) => log.warn({ error }, 'the database dropped an idle connection'),
        maxStatementMs: MAX_STATEMENT_MS,
      })
      try {
        for (const name of await migrate(database, Date.now())) log.info({ migration: name }, 'migrated')
        await refuseNewerIndex(database)
      } catch (error) {
        await database.close()
        throw error
      }
      return database
    },
    stop: (database) => database.close(),
  }
}

/** Opens and migrates the database for one piece of work, and closes it afterwards. */
export async function withDatabase<T>(
  { DATABASE_URL, DATA_DIR }: DatabaseSettings,
  work: (database: Database, migrations: readonly string[]) => Promise<T>,
): Promise<T> {
  // An idle connection that is dropped is opened again when needed; one that breaks in use fails its query.
  const database = await openDatabase({ url: DATABASE_URL, dataDir: DATA_DIR, onIdleError: () => {} })
  try {
    return await work(database, await migrate(database, Date.now()))
  } finally {
    await database.close()
  }
}
