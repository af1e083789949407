// Reads from a replica while it can be used, and from the primary otherwise.
import { isDatabaseUnavailable } from '../../lib/database-unavailable.ts'
import type { Queries, Row } from './database.ts'

export type ReplicaState = {
  /** A server that follows another one. */
  readonly isRecovering: boolean
  /** The number of commits to the chain that it has. */
  readonly version: number
  readonly head: number | null
}

/** For PostgreSQL. By primary keys. */
export async function replicaState(queries: Queries): Promise<ReplicaState> {
  const [row] = await queries.all<{ recovering: number; version: string | null; head: number | null }>(
    `select cast(pg_is_in_recovery() as integer) as recovering,
      (select value from chain_notes where name = 'version') as version,
      (select max(height) from blocks) as head`,
  )
  return { isRecovering: row!.recovering === 1, version: Number(row!.version ?? 0), head: row!.head }
}

/**
 * `replica` gives nothing while it must not be used. A read that it does not answer is asked again of the primary, and `onUnavailable` is
 * called. Writes go to the primary.
 */
export function readsThroughReplica(options: {
  readonly primary: Queries
  readonly replica: () => Queries | undefined
  readonly onUnavailable: (error: Error) => void
}): Queries {
  const { primary, replica, onUnavailable } = options
  const read = async <T>(work: (queries: Queries) => Promise<T>): Promise<T> => {
    const used = replica()
    if (used === undefined) return work(primary)
    try {
      return await work(used)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      onUnavailable(error as Error)
      return work(primary)
    }
  }
  return {
    all: <R extends Row>(...args: Parameters<Queries['all']>) => read((queries) => queries.all<R>(...args)),
    lookup: <R extends Row>(...args: Parameters<Queries['lookup']>) => read((queries) => queries.lookup<R>(...args)),
    run: primary.run,
    insert: primary.insert,
    remove: primary.remove,
  }
}
