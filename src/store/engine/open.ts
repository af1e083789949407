import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** For work in the background; whoever answers requests has less time. */
const MAX_STATEMENT_MS = 30_000

/** PostgreSQL where a URL is given, otherwise a SQLite file in the data folder. */
export async function openDatabase(options: {
  url: string | undefined
  dataDir: string
  onIdleError: (error: Error) => void
  /** PostgreSQL ends a statement after this time. */
  maxStatementMs?: number
}): Promise<Database> {
  return options.url === undefined
    ? openSqlite(join(options.dataDir, 'firstlight.sqlite'))
    : openPostgres({ maxStatementMs: MAX_STATEMENT_MS, ...options, url: options.url })
}

const PROOF_BYTES = 500_000

/** Writes something and takes it back. Throws what the database says where it cannot. */
export async function proveWritable(database: Database): Promise<void> {
  const takenBack = new Error('taken back')
  const writing = database.transaction(async (queries) => {
    await queries.run(
      `insert into chain_notes (name, value)
      values ('written by doctor', $1)`,
      [randomBytes(PROOF_BYTES).toString('hex')],
    )
    throw takenBack
  })
  await writing.catch((error) => {
    if (error !== takenBack) throw error
  })
}
