// The replica of DATABASE_READ_URL: it is watched, left for the primary while it is gone, too far behind or promoted, and taken back. A
// process starts without it.
import type { Part } from '../lib/async/lifecycle.ts'
import { sleep, unlessAborted } from '../lib/async/wait.ts'
import type { Database, Queries } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open.ts'
import { readsThroughReplica, replicaState } from '../store/engine/replica.ts'
import type { ServerContext } from './context.ts'
import { type ReplicaHealth, replicaAfterFailure, replicaAfterLook, unknownReplica } from './replica-health.ts'

export type Replica = {
  /** From the replica, or from the primary while it is not used. */
  readonly reads: Queries
  readonly status: () => Pick<ReplicaHealth, 'problem' | 'lagMs' | 'lagBlocks'>
}

const LOOK_EVERY_MS = 2_000
const SLOW_MS = 5_000
const MAX_STATEMENT_MS = 10_000

export function replicaPart(
  { config, metrics, log }: Pick<ServerContext, 'config' | 'metrics' | 'log'>,
  primary: Database,
): Part<Replica & { running: Promise<void>; close: () => Promise<void> }> {
  return {
    name: 'replica',
    start: (signal) => {
      const maxLagMs = config.DATABASE_READ_MAX_LAG_S * 1000
      let replica: Database | undefined
      let health = unknownReplica
      const change = (next: ReplicaHealth): void => {
        if (next.problem !== null && health.problem === null) {
          log.warn({ problem: next.problem }, 'replica: not used')
        }
        if (next.problem === null && health.problem !== null) log.info('replica: used')
        health = next
      }
      const look = async (): Promise<void> => {
        try {
          replica ??= await openDatabase({
            url: config.DATABASE_READ_URL,
            dataDir: '',
            onIdleError: (error) => log.warn({ error }, 'the replica dropped an idle connection'),
            maxStatementMs: MAX_STATEMENT_MS,
          })
          const state = await unlessAborted(replicaState(replica), AbortSignal.timeout(SLOW_MS))
          const ofPrimary = await unlessAborted(replicaState(primary), AbortSignal.timeout(SLOW_MS)).catch(
            () => undefined,
          )
          change(replicaAfterLook(health, { replica: state, primary: ofPrimary, nowMs: performance.now() }, maxLagMs))
        } catch (error) {
          change(replicaAfterFailure(health, (error as Error).message))
        }
      }
      const watch = async (): Promise<void> => {
        while (!signal.aborted) {
          await look()
          await sleep(LOOK_EVERY_MS, signal).catch(() => undefined)
        }
      }
      metrics.gauge('firstlight_replica_used', '1 while the explorer reads from DATABASE_READ_URL', () =>
        health.problem === null ? 1 : 0,
      )
      metrics.gauge(
        'firstlight_replica_lag_seconds',
        'How far the replica is behind its primary',
        () => (health.lagMs ?? Number.NaN) / 1000,
      )
      return {
        reads: readsThroughReplica({
          primary,
          replica: () => (health.problem === null ? replica : undefined),
          onUnavailable: (error) => change(replicaAfterFailure(health, error.message)),
        }),
        status: () => ({ problem: health.problem, lagMs: health.lagMs, lagBlocks: health.lagBlocks }),
        running: watch(),
        close: async () => replica?.close(),
      }
    },
    stop: async ({ running, close }) => {
      await running
      await close()
    },
  }
}
