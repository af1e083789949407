// Sessions of the console that were signed out. They are stored until they would have ended, so that no process accepts one again.
import type { Database } from '../engine/database.ts'

export type EndedSessionStore = {
  end: (sessionHash: Uint8Array, endsMs: number) => Promise<void>
  isEnded: (sessionHash: Uint8Array) => Promise<boolean>
  /** Deletes sessions that have ended by themselves. Index ended_sessions_ends. */
  prune: (nowMs: number) => Promise<number>
}

export function createEndedSessionStore(database: Database): EndedSessionStore {
  return {
    end: async (sessionHash, endsMs) => {
      await database.run(
        `insert into ended_sessions (session_hash, ends_ms)
        values ($1, $2)
        on conflict (session_hash) do nothing`,
        [sessionHash, endsMs],
      )
    },
    // By the primary key.
    isEnded: async (sessionHash) => {
      const rows = await database.all(
        `select 1 as found
        from ended_sessions
        where session_hash = $1`,
        [sessionHash],
      )
      return rows.length > 0
    },
    prune: (nowMs) =>
      database.run(
        `delete from ended_sessions
        where ends_ms < $1`,
        [nowMs],
      ),
  }
}
