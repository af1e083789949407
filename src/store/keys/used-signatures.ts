// Used request signatures. They are stored until their time window is over, so that no process accepts one twice.
import type { Database } from '../engine/database.ts'

export type UsedSignatureStore = {
  /** True the first time, false for a replay. */
  use: (signature: Uint8Array, expiresMs: number) => Promise<boolean>
  /** Deletes expired signatures. Index used_signatures_expires. */
  prune: (nowMs: number) => Promise<number>
}

export function createUsedSignatureStore(database: Database): UsedSignatureStore {
  return {
    // By the primary key.
    use: async (signature, expiresMs) => {
      const inserted = await database.run(
        `insert into used_signatures (signature, expires_ms)
        values ($1, $2)
        on conflict (signature) do nothing`,
        [signature, expiresMs],
      )
      return inserted === 1
    },
    prune: (nowMs) =>
      database.run(
        `delete from used_signatures
        where expires_ms < $1`,
        [nowMs],
      ),
  }
}
