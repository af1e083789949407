// API keys as they are stored: the secret encrypted, the passphrase only as a slow hash.
import type { Database } from '../engine/database.ts'

export type KeyRow = {
  id: string
  name: string
  secretBox: Uint8Array
  passphraseHash: Uint8Array
  createdMs: number
  revokedMs: number | null
}

export type KeyStore = {
  add: (key: KeyRow) => Promise<void>
  find: (id: string) => Promise<KeyRow | undefined>
  list: () => Promise<KeyRow[]>
  /** False when there is no such key or it is revoked already. */
  revoke: (id: string, nowMs: number) => Promise<boolean>
}

/** More keys than this are not listed. */
const MAX_LISTED = 10_000

const COLUMNS = `
  id, name, secret_box as "secretBox", passphrase_hash as "passphraseHash",
  created_ms as "createdMs", revoked_ms as "revokedMs"`

export function createKeyStore(database: Database): KeyStore {
  return {
    add: async (key) => {
      await database.run(
        `insert into api_keys (id, name, secret_box, passphrase_hash, created_ms, revoked_ms)
        values ($1, $2, $3, $4, $5, $6)`,
        [key.id, key.name, key.secretBox, key.passphraseHash, key.createdMs, key.revokedMs],
      )
    },
    // By the primary key.
    find: async (id) => {
      const [row] = await database.all<KeyRow>(
        `select ${COLUMNS}
        from api_keys
        where id = $1`,
        [id],
      )
      return row
    },
    // No index: there are few keys.
    list: () =>
      database.all<KeyRow>(
        `select ${COLUMNS}
        from api_keys
        order by created_ms, id
        limit ${MAX_LISTED}`,
      ),
    // By the primary key.
    revoke: async (id, nowMs) => {
      const changed = await database.run(
        `update api_keys
        set revoked_ms = $2
        where id = $1 and revoked_ms is null`,
        [id, nowMs],
      )
      return changed === 1
    },
  }
}
