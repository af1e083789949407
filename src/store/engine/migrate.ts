// Migrations: numbered SQL files, forward only. All that are missing are applied in one transaction under a lock, so that processes that
// start at the same time do not apply them twice.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Database, Queries } from './database.ts'

/** Where the engines' DDL differs, the files have a macro: {bytes}, {int} and so on. */
const dialects: Record<Database['engine'], Record<string, string>> = {
  sqlite: { bytes: 'blob', int: 'integer', clustered: 'without rowid', 'by-height': '', churning: '' },
  postgres: {
    bytes: 'bytea',
    int: 'bigint',
    clustered: '',
    'by-height': 'partition by range (pos)',
    // These rows change all the time; dead entries in the index would make the ranking slow.
    churning: 'with (autovacuum_vacuum_scale_factor = 0.02)',
  },
}

/** An arbitrary number; it must never change, because processes of different versions share the lock. */
const LOCK = 7_125_001

const folder = new URL('./migrations/', import.meta.url)

export type Migration = { number: number; name: string; sql: string }

/** The schema in the database is not the one this program needs; the message says what to do. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

export function migrationsFor(engine: Database['engine']): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      number: Number.parseInt(file, 10),
      name: file.replace(/\.sql$/, ''),
      sql: inDialect(engine, readFileSync(new URL(file, folder), 'utf8')),
    }))
}

function inDialect(engine: Database['engine'], sql: string): string {
  return sql
    .replace(/\{(sqlite|postgres):([^}]*)\}/g, (_, only, statement) => (only === engine ? statement : ''))
    .replace(/\{([a-z-]+)\}/g, (macro, name) => dialects[engine][name] ?? macro)
}

/** A new index of a large table may take this long, and a second process waits for it. */
const MAX_STATEMENT_MS = 3_600_000

/** Returns the names of the migrations that this call applied. */
export function migrate(database: Database, nowMs: number): Promise<string[]> {
  return database.transaction((queries) => migrateIn(queries, database.engine, nowMs), {
    maxStatementMs: MAX_STATEMENT_MS,
  })
}

async function migrateIn(queries: Queries, engine: Database['engine'], nowMs: number): Promise<string[]> {
  if (engine === 'postgres') await queries.all('select pg_advisory_xact_lock($1)', [LOCK])
  const applied = await appliedMigrations(queries)
  const known = migrationsFor(engine)
  refuseMismatch(applied, known)
  const appliedNow: string[] = []
  for (const migration of known.slice(applied.length)) {
    for (const statement of statementsOf(migration.sql)) await queries.run(statement)
    await queries.run(
      `insert into migrations (number, name, checksum, applied_ms)
      values ($1, $2, $3, $4)`,
      [migration.number, migration.name, checksumOf(migration), nowMs],
    )
    appliedNow.push(migration.name)
  }
  return appliedNow
}

type AppliedMigration = { number: number; name: string; checksum: string }

async function appliedMigrations(queries: Queries): Promise<AppliedMigration[]> {
  await queries.run(
    `create table if not exists migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_ms bigint not null
    )`,
  )
  // By the primary key.
  return queries.all<AppliedMigration>(
    `select number, name, checksum
    from migrations
    order by number`,
  )
}

function refuseMismatch(applied: AppliedMigration[], known: Migration[]): void {
  for (const [index, row] of applied.entries()) {
    const migration = known[index]
    if (!migration) {
      throw new SchemaMismatch(
        `the database has migration ${row.name}, which this program does not know: a newer version has used it; update firstlight`,
      )
    }
    if (row.checksum !== checksumOf(migration)) {
      throw new SchemaMismatch(
        `migration ${row.name} was applied with a different text; restore the file or the database`,
      )
    }
  }
}

function checksumOf({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex')
}

function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
}
