import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSecretBox } from '../lib/secrets/secret-box.ts'
import { migrate } from '../store/engine/migrate.ts'
import { openSqlite } from '../store/engine/sqlite.ts'
import { createKeyStore } from '../store/keys/keys.ts'
import { createKeyRing } from './key-ring.ts'

const folder = mkdtempSync(join(tmpdir(), 'firstlight-keys-'))
const database = openSqlite(join(folder, 'firstlight.sqlite'))
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the key ring dates a slow read by its beginning, not by its end', async () => {
  await migrate(database, 0)
  const store = createKeyStore(database)
  const { promise: slowness, resolve: hurry } = Promise.withResolvers<void>()
  const slowStore = {
    ...store,
    find: async (id: string) => {
      const row = await store.find(id)
      await slowness
      return row
    },
  }
  let nowMs = 0
  const ring = createKeyRing({
    store: slowStore,
    box: createSecretBox('seal'),
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
  })
  const { key } = await ring.issue({ name: 'a', passphrase: 'a passphrase' })
  const found = ring.find(key)
  await store.revoke(key, 1)
  nowMs = 1_000
  hurry()
  expect(await found).toBeDefined()
  expect(await ring.find(key)).toBeUndefined()
})
