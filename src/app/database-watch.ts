// Watches the database from the main thread: a small read at short intervals, so that a silent server is seen within seconds, whatever the
// parts that use it are doing.
import type { Part } from '../lib/async/lifecycle.ts'
import { sleep } from '../lib/async/wait.ts'
import type { Queries } from '../store/engine/database.ts'
import { chainNote } from '../store/read/chain-state.ts'
import type { ServerContext } from './context.ts'

export type DatabaseWatch = {
  /** For /ready and /status; null while the database answers. */
  problem(): string | null
  answerAgeMs(): number
}

const LOOK_EVERY_MS = 2_000
/** A read that takes longer than this is a problem, though its answer may still come. */
const SLOW_MS = 5_000

type Health = { answeredMs: number; failure: string | null; askedMs: number | null }

export function databaseWatchPart(
  { metrics, log }: Pick<ServerContext, 'metrics' | 'log'>,
  database: Queries,
): Part<DatabaseWatch & { running: Promise<void> }> {
  return {
    name: 'database watch',
    start: (signal) => {
      const health: Health = { answeredMs: performance.now(), failure: null, askedMs: null }
      const problem = () => problemOf(health, performance.now())
      const answerAgeMs = () => Math.round(performance.now() - health.answeredMs)
      metrics.gauge('firstlight_database_up', '1 while the database answers', () => (problem() === null ? 1 : 0))
      metrics.gauge(
        'firstlight_database_answer_age_seconds',
        'Time since the last answer of the database',
        () => answerAgeMs() / 1000,
      )
      const running = watch({ database, health, log }, signal)
      return { problem, answerAgeMs, running }
    },
    stop: ({ running }) => running,
  }
}

async function watch(
  { database, health, log }: { database: Queries; health: Health; log: ServerContext['log'] },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const failedBefore = health.failure !== null
    health.askedMs = performance.now()
    try {
      await chainNote(database, 'version')
      health.answeredMs = performance.now()
      health.failure = null
      if (failedBefore) log.info('database: answers again')
    } catch (error) {
      health.failure = (error as Error).message
      if (!failedBefore) log.warn({ error }, 'database: does not answer')
    }
    health.askedMs = null
    await sleep(LOOK_EVERY_MS, signal).catch(() => undefined)
  }
}

function problemOf({ failure, askedMs }: Health, nowMs: number): string | null {
  if (failure !== null) return failure
  const waitedMs = askedMs === null ? 0 : nowMs - askedMs
  return waitedMs < SLOW_MS ? null : `no answer for ${Math.round(waitedMs / 1000)} s`
}
