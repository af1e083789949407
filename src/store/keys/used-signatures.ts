// Signatures that were used, kept until their time window is over, so that none is accepted twice by any process.
import type { Database } from '../engine/database.ts'

export type UsedSignatureStore = {
  /** True the first time, false for a replay. */
  use: (signature: Uint8Array, expiresMs: number) => Promise<boolean>
  /** Forgets what expired before; uses the index used_signatures_expires. */
  prune: (nowMs: number) => Promise<number>
}

export function createUsedSignatureStore(database: Database): UsedSignatureStore {
  return {
    use: async (signature, expiresMs) =>
      (await database.run(
        'insert into used_signatures (signature, expires_ms) values ($1, $2) on conflict (signature) do nothing',
        [signature, expiresMs],
      )) === 1,
    prune: (nowMs) => database.run('delete from used_signatures where expires_ms < $1', [nowMs]),
  }
}
