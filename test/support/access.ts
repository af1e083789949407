// Authentication without HTTP around it: a real SQLite file, a real key, a clock that the test sets.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Authenticator, createAuthenticator } from '../../src/access/authenticate.ts'
import { createKeyRing, type IssuedKey } from '../../src/access/key-ring.ts'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openSqlite } from '../../src/store/engine/sqlite.ts'
import { createKeyStore } from '../../src/store/keys/keys.ts'
import { createUsedSignatureStore } from '../../src/store/keys/used-signatures.ts'

export type TestAccess = {
  key: IssuedKey
  clock: { nowMs: number }
  authenticator: Authenticator
  /** Another process as far as it knows: shares nothing with the first but the file. */
  neighbour: Authenticator
  /** Forgets used signatures as the server does once a minute. */
  prune: () => Promise<number>
  close: () => Promise<void>
}

export async function openTestAccess(): Promise<TestAccess> {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-access-'))
  const databases = [
    openSqlite(join(folder, 'firstlight.sqlite')),
    openSqlite(join(folder, 'firstlight.sqlite')),
  ] as const
  const clock = { nowMs: Date.now() }
  await migrate(databases[0], clock.nowMs)
  const [first, second] = databases.map((database) => partsOf(database, () => clock.nowMs))
  return {
    key: await first!.keyRing.issue({ name: 'test', passphrase: 'a passphrase' }),
    clock,
    authenticator: first!.authenticator,
    neighbour: second!.authenticator,
    prune: () => createUsedSignatureStore(databases[0]).prune(clock.nowMs),
    close: async () => {
      for (const database of databases) await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function partsOf(database: Database, nowMs: () => number) {
  const keyRing = createKeyRing({ store: createKeyStore(database), box: createSecretBox('seal'), nowMs })
  const signatures = createUsedSignatureStore(database)
  return { keyRing, authenticator: createAuthenticator({ prefixes: ['SVC'], keyRing, signatures, nowMs }) }
}
