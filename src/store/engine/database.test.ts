import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/support/databases.ts'
import { DatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { createKeyStore } from '../keys/keys.ts'
import { createUsedSignatureStore } from '../keys/used-signatures.ts'
import type { Database } from './database.ts'
import { migrate, migrationsFor, SchemaMismatch } from './migrate.ts'
import { openDatabase } from './open.ts'

const execute = promisify(execFile)

test('every migration has a number of its own', () => {
  const numbers = migrationsFor('sqlite').map(({ number }) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
})

describe.each(databases)('the store on $engine', ({ engine, open, place }) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => database.close())

  const key = {
    id: 'a',
    name: 'first',
    secretBox: Buffer.from([0, 255]),
    passphraseHash: Buffer.from([1]),
    createdMs: 2 ** 41,
    revokedMs: null,
  }

  test('the store gives bytes and large integers back as they were', async () => {
    const keys = createKeyStore(database)
    await keys.add(key)
    const found = await keys.find('a')
    expect({ ...found, secretBox: [...found!.secretBox], passphraseHash: [...found!.passphraseHash] }).toEqual({
      ...key,
      secretBox: [0, 255],
      passphraseHash: [1],
    })
  })

  test('the store revokes a key once', async () => {
    const keys = createKeyStore(database)
    await keys.add(key)
    expect(await keys.revoke('a', 5)).toBe(true)
    expect(await keys.revoke('a', 6)).toBe(false)
    expect(await keys.revoke('b', 5)).toBe(false)
    expect((await keys.find('a'))!.revokedMs).toBe(5)
  })

  test('the store takes a signature once, until it is pruned', async () => {
    const signatures = createUsedSignatureStore(database)
    const signature = Buffer.alloc(32, 7)
    expect(await signatures.use(signature, 100)).toBe(true)
    expect(await signatures.use(signature, 100)).toBe(false)
    expect(await signatures.prune(100)).toBe(0)
    expect(await signatures.prune(101)).toBe(1)
    expect(await signatures.use(signature, 200)).toBe(true)
  })

  test('the store rolls back what a failed transaction wrote', async () => {
    await expect(
      database.transaction(async (queries) => {
        await queries.run("insert into rate_buckets (name, tokens, at_ms, version) values ('x', 1, 1, 0)")
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await database.all('select name from rate_buckets')).toEqual([])
  })

  test('the store never shows half a transaction to a reader', async () => {
    await database.transaction(async (queries) => {
      await queries.run("insert into rate_buckets (name, tokens, at_ms, version) values ('x', 1, 1, 0)")
      expect(await database.all('select name from rate_buckets')).toEqual([])
    })
    expect(await database.all('select name from rate_buckets')).toEqual([{ name: 'x' }])
  })

  test('the store migrates once, also when several processes start together', async () => {
    const { url, dataDir } = await place()
    const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
    const environment = { ...process.env, DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) }
    const printed = await Promise.all(
      Array.from({ length: 4 }, () => execute(process.execPath, [main, 'migrate'], { env: environment })),
    )
    const applied = printed.flatMap(({ stdout }) => [...stdout.matchAll(/applied (\S+)/g)].map((match) => match[1]))
    expect(applied).toEqual(migrationsFor(engine).map((migration) => migration.name))
  })

  test('the store refuses a database of a newer version', async () => {
    await database.run(
      "insert into migrations (number, name, checksum, applied_ms) values (9999, '9999-later', 'x', 1)",
    )
    await expect(migrate(database, 1)).rejects.toThrow(SchemaMismatch)
    await expect(migrate(database, 1)).rejects.toThrow(/newer version has used it; update firstlight/)
  })

  test('the store refuses a migration whose text was changed after it was applied', async () => {
    await database.run("update migrations set checksum = 'other' where number = 1")
    await expect(migrate(database, 1)).rejects.toThrow(/0001-keys was applied with a different text/)
  })
})

test('a PostgreSQL that does not answer is reported as unavailable', async () => {
  const nowhere = { url: 'postgres://nobody@127.0.0.1:1/none', dataDir: '', onIdleError: () => {} }
  await expect(openDatabase(nowhere)).rejects.toThrow(DatabaseUnavailable)
})
