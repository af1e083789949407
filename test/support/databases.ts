// Both engines, migrated and empty: SQLite in a folder that goes away, PostgreSQL in a schema of its own in the server
// that `npm test` started.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Database } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'

type Engine = {
  engine: Database['engine']
  /** Where a new empty database is. */
  place: () => Promise<{ url: string | undefined; dataDir: string }>
  /** A new empty database, migrated. */
  open: () => Promise<Database>
}

async function openMigrated(place: { url: string | undefined; dataDir: string }): Promise<Database> {
  const database = await openDatabase({ ...place, onIdleError: () => {} })
  await migrate(database, 0)
  return database
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'firstlight-db-'))
}

async function sqlitePlace() {
  return { url: undefined, dataDir: newFolder() }
}

async function postgresPlace() {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('TEST_DATABASE_URL is not set: run the tests with `npm test`, which starts a PostgreSQL')
  const name = `test_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return { url: server.replace(/\/[^/]*$/, `/${name}`), dataDir: newFolder() }
}

export const databases: readonly Engine[] = [
  { engine: 'sqlite', place: sqlitePlace, open: async () => openMigrated(await sqlitePlace()) },
  { engine: 'postgres', place: postgresPlace, open: async () => openMigrated(await postgresPlace()) },
]
