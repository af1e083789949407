// Watches the database from the main thread: a small read at short intervals, so that a silent server is seen within seconds, whatever the
// parts that use it are doing; connections that wait for an answer or were lost, in this thread and others; and the room on the disk.
import { statfs } from 'node:fs/promises'
import type { Part } from '../lib/async/lifecycle.ts'
import { sleep, unlessAborted } from '../lib/async/wait.ts'
import type { StorageProblem } from '../lib/database-unavailable.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { ConnectionFigures, Database, Queries } from '../store/engine/database.ts'
import { derivationState, rangesStored } from '../store/read/chain-state.ts'
import type { ServerContext } from './context.ts'

export type DatabaseWatch = {
  /** For /ready and /status; null while the database answers. */
  problem(): string | null
  answerAgeMs(): number
  /** Null while there is room. Only SQLite writes to the disk of this machine. */
  diskProblem(): string | null
  /** What goes on, though not as it should. */
  warnings(): readonly string[]
  status(): {
    readonly connectionsLost: number
    readonly longestWaitMs: number
    /** Of the disk of DATA_DIR; null while it is not known. */
    readonly freeBytes: number | null
  }
  /** What an older version of the program derived, and how far it is derived again; null where all is current. */
  outdated(): string | null
  /** A thread with connections of its own reports them here. */
  report(thread: string, figures: ConnectionFigures): void
}

const LOOK_EVERY_MS = 2_000
/** A read that takes longer than this is a problem, though its answer may still come. */
const SLOW_MS = 5_000
/** An answer that takes longer than this is a warning: the server works on it, or hangs. */
const LONG_WAIT_MS = 6_000
/** With less than this a commit of some blocks may fail. */
export const FULL_BYTES = 16_000_000
const LOW_BYTES = 256_000_000

type Health = {
  answeredMs: number
  failure: string | null
  askedMs: number | null
  freeBytes: number | null
  outdated: string | null
}

export function databaseWatchPart(
  { config, metrics, log }: Pick<ServerContext, 'config' | 'metrics' | 'log'>,
  database: Database,
): Part<DatabaseWatch & { running: Promise<void> }> {
  return {
    name: 'database watch',
    start: (signal) => {
      const health: Health = {
        answeredMs: performance.now(),
        failure: null,
        askedMs: null,
        freeBytes: null,
        outdated: null,
      }
      const others = new Map<string, ConnectionFigures>()
      const figures = (): readonly (readonly [string, ConnectionFigures])[] => {
        const own = database.connections?.()
        return [...(own === undefined ? [] : [['main', own] as const]), ...others]
      }
      const running = watch({ database, health, log, dataDir: config.DATA_DIR }, signal)
      const view: DatabaseWatch = {
        problem: () => problemOf(health, performance.now()),
        answerAgeMs: () => Math.round(performance.now() - health.answeredMs),
        diskProblem: () =>
          database.engine === 'sqlite' && hasLess(health, FULL_BYTES)
            ? `the disk of DATA_DIR is full: ${roomOf(health)}`
            : null,
        warnings: () => [
          ...figures().flatMap(([thread, { silentMs }]) => waitWarnings(thread, silentMs)),
          ...(hasLess(health, LOW_BYTES) ? [`the disk of DATA_DIR is almost full: ${roomOf(health)}`] : []),
        ],
        status: () => ({
          connectionsLost: figures().reduce((sum, [, { lost }]) => sum + lost, 0),
          longestWaitMs: Math.max(0, ...figures().map(([, { silentMs }]) => silentMs)),
          freeBytes: health.freeBytes,
        }),
        outdated: () => health.outdated,
        report: (thread, latest) => void others.set(thread, latest),
      }
      addMetrics(metrics, view)
      return { ...view, running }
    },
    stop: ({ running }) => running,
  }
}

function addMetrics(metrics: Metrics, { problem, answerAgeMs, outdated, status }: DatabaseWatch): void {
  metrics.gauge('firstlight_database_up', '1 while the database answers', () => (problem() === null ? 1 : 0))
  metrics.gauge(
    'firstlight_database_answer_age_seconds',
    'Time since the last answer of the database',
    () => answerAgeMs() / 1000,
  )
  metrics.gauge(
    'firstlight_database_longest_wait_seconds',
    'For how long a statement has been waiting for PostgreSQL',
    () => status().longestWaitMs / 1000,
  )
  metrics.counted(
    'firstlight_database_connections_lost_total',
    'Connections to PostgreSQL that broke, or were given up because nothing came from them',
    () => status().connectionsLost,
  )
  metrics.gauge(
    'firstlight_index_outdated',
    '1 while an older version of the program derived a part of the index',
    () => (outdated() === null ? 0 : 1),
  )
  metrics.gauge(
    'firstlight_disk_free_bytes',
    'Room on the disk of DATA_DIR; NaN while not known',
    () => status().freeBytes ?? Number.NaN,
  )
}

async function watch(
  { database, health, log, dataDir }: { database: Queries; health: Health; log: ServerContext['log']; dataDir: string },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const failedBefore = health.failure !== null
    health.askedMs = performance.now()
    try {
      health.outdated = await outdatedText(database)
      health.answeredMs = performance.now()
      health.failure = null
      if (failedBefore) log.info('database: answers again')
    } catch (error) {
      health.failure = (error as Error).message
      if (!failedBefore) log.warn({ error }, 'database: does not answer')
    }
    health.askedMs = null
    health.freeBytes = await freeBytesOf(dataDir)
    await sleep(LOOK_EVERY_MS, signal).catch(() => undefined)
  }
}

/** A file system that hangs has no room that anybody knows of. */
async function freeBytesOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await unlessAborted(statfs(folder), AbortSignal.timeout(SLOW_MS))
    return bavail * bsize
  } catch {
    return null
  }
}

/** What an older version of the program derived, and how far it is derived again; null where all is current. */
export async function outdatedText(queries: Queries): Promise<string | null> {
  const { outdated, derivedTo } = await derivationState(queries)
  const ranges = await rangesStored(queries)
  if (outdated.length === 0 || ranges.length === 0) return null
  const [first, last] = [ranges[0]!.firstHeight, ranges.at(-1)!.lastHeight]
  const blocks = last - first + 1
  const done = derivedTo === undefined ? blocks : Math.max(0, derivedTo - first + 1)
  const percent = Math.min(99, Math.floor((100 * done) / blocks))
  return `a part of the index is of an older version of this program and is derived again, ${percent} % done (${done} of ${blocks} blocks): ${outdated.join(', ')}`
}

function problemOf({ failure, askedMs }: Health, nowMs: number): string | null {
  if (failure !== null) return failure
  const waitedMs = askedMs === null ? 0 : nowMs - askedMs
  return waitedMs < SLOW_MS ? null : `no answer for ${Math.round(waitedMs / 1000)} s`
}

function waitWarnings(thread: string, silentMs: number): string[] {
  if (silentMs < LONG_WAIT_MS) return []
  return [`PostgreSQL has not answered a statement of the ${thread} thread for ${Math.round(silentMs / 1000)} s`]
}

function hasLess({ freeBytes }: Health, bytes: number): boolean {
  return freeBytes !== null && freeBytes < bytes
}

function roomOf({ freeBytes }: Health): string {
  return `${Math.floor((freeBytes ?? 0) / 1e6)} MB are free`
}

/** For the banner of pages, without anything that only an operator should read. */
export function storageNotices(
  { problem, diskProblem, outdated }: DatabaseWatch,
  storage: StorageProblem | null,
): string[] {
  const cause = storage ?? (diskProblem() === null ? null : 'full')
  const old = outdated()
  return [
    ...(cause === null ? [] : [NOTICES[cause]]),
    ...(problem() === null ? [] : ['The database does not answer: pages may be missing or old.']),
    ...(old === null ? [] : [`${old.charAt(0).toUpperCase()}${old.slice(1)}.`]),
  ]
}

const NOTICES: Readonly<Record<StorageProblem, string>> = {
  full: 'The disk of the index is full: new blocks are missing until there is room again.',
  locked: 'Another program has locked the index: new blocks are missing until it is done.',
  'read-only': 'The index cannot be written to: new blocks are missing.',
}
