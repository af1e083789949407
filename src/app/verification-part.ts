// Verification as two parts of a server: the verifier, which compiles (only with its role; several processes may share the jobs of one
// database), and the reader, which takes submissions and answers questions about contracts.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Part } from '../lib/async/lifecycle.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Database } from '../store/engine/database.ts'
import { type QueueFigures, queueFigures } from '../store/jobs/verification-jobs.ts'
import { createNode } from '../upstream/node/node.ts'
import { CONCURRENT_COMPILERS, createCompilePool } from '../verification/compile/pool.ts'
import { createResultCache } from '../verification/compile/result-cache.ts'
import { findSandbox } from '../verification/compile/sandbox.ts'
import { createCompilers } from '../verification/compilers/compilers.ts'
import { createFetchStep } from '../verification/compilers/fetch-step.ts'
import { solcReleases } from '../verification/compilers/npm-solc.ts'
import { createHighlighter } from '../verification/highlight/highlighter.ts'
import { createJobWork } from '../verification/jobs/job-work.ts'
import { createJobRunner, type JobRunner } from '../verification/jobs/runner.ts'
import { maxRunningOfSender } from '../verification/jobs/sender-limits.ts'
import { createVerification, createVerificationCaches, type Verification } from '../verification/jobs/verification.ts'
import { QUEUE_REFUSALS, type QueueRefusal } from '../verification/jobs/verification-queue.ts'
import { createContractCaches, createContractReader } from '../verification/proxies/contract-reader.ts'
import { createVerifier } from '../verification/verify.ts'
import type { ServerContext } from './context.ts'

/** A client waits for these answers. */
const READ_TIMEOUT_MS = 5_000
/** Jobs beyond the compile slots that run at the same time. */
const JOBS_WITHOUT_SLOT = 4
const FIGURES_EVERY_MS = 5_000

export type VerificationService = Verification & {
  /** The queue of all processes; undefined while the database does not answer. */
  readonly queueState: () => QueueState | undefined
  close(): Promise<void>
}

export type QueueState = Omit<QueueFigures, 'oldestMs'> & { readonly oldestS: number }

export function verificationPart(
  { config, log, metrics }: Pick<ServerContext, 'config' | 'log' | 'metrics'>,
  { database, verifier }: { readonly database: Database; readonly verifier: JobRunner | undefined },
): Part<VerificationService> {
  return {
    name: 'verification',
    start: (signal) => {
      const node = createNode({ urls: config.RPC_URL!, log, giveUpAfterMs: READ_TIMEOUT_MS, maxConcurrency: 16 })
      const caches = createVerificationCaches()
      let figures: QueueFigures | undefined
      const reading = readFigures(database, signal, (read) => {
        figures = read
      })
      const queueState = (): QueueState | undefined => {
        if (!figures) return undefined
        const { oldestMs, ...counts } = figures
        return { ...counts, oldestS: oldestMs === null ? 0 : Math.max(0, (Date.now() - oldestMs) / 1000) }
      }
      const { onRefused } = addQueueMetrics(metrics, queueState)
      return {
        ...createVerification({
          database,
          node,
          caches,
          compileBudgetMs: config.VERIFY_COMPILE_S * 1000,
          onAdded: () => verifier?.wake(),
          onRefused,
        }),
        queueState,
        async close() {
          await reading
          node.close()
        },
      }
    },
    stop: (verification) => verification.close(),
  }
}

async function readFigures(
  database: Database,
  signal: AbortSignal,
  onRead: (figures: QueueFigures | undefined) => void,
): Promise<void> {
  while (!signal.aborted) {
    // Where the database does not answer, the figures are not known. Others report why.
    onRead(await queueFigures(database).catch(() => undefined))
    await sleep(FIGURES_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Every process shows the same queue; what it refused it counts for itself. */
function addQueueMetrics(metrics: Metrics, queueState: () => QueueState | undefined) {
  const figure = (name: string, help: string, of: (state: QueueState) => number): void => {
    metrics.gauge(`firstlight_verification_${name}`, help, () => {
      const state = queueState()
      return state ? of(state) : Number.NaN
    })
  }
  figure('queued', 'Verifications that wait', ({ queued }) => queued)
  figure('running', 'Verifications that run', ({ running }) => running)
  figure('oldest_seconds', 'How long the oldest of those that wait has waited', ({ oldestS }) => oldestS)
  figure('most_of_sender', 'Open verifications of the sender that has most', ({ mostOfSender }) => mostOfSender)
  const refused = metrics.counter(
    'firstlight_verifications_refused_total',
    'Submissions refused: the queue is full, the sender has too many open, or its compile time is used up',
    ['reason'],
  )
  for (const reason of QUEUE_REFUSALS) refused.inc({ reason }, 0)
  return { onRefused: (reason: QueueRefusal) => refused.inc({ reason }) }
}

/** For the form: the releases that can be fetched. */
export function solidityReleasesOf({ config, fetchEnvironment }: Pick<ServerContext, 'config' | 'fetchEnvironment'>) {
  const fetching = createFetchStep({ environment: fetchEnvironment, sandbox: findSandbox })
  return (signal: AbortSignal) => solcReleases({ folder: join(config.DATA_DIR, 'compilers'), fetching }, signal)
}

export type SandboxState = { readonly describe: string; readonly isClosed: boolean }

export type Verifier = JobRunner & {
  stop(): Promise<void>
  /** Null until it is known. */
  sandbox(): SandboxState | null
  readonly sandboxFound: Promise<SandboxState>
}

export function verifierPart(
  { config, log, metrics, fetchEnvironment }: Pick<ServerContext, 'config' | 'log' | 'metrics' | 'fetchEnvironment'>,
  database: Database,
): Part<Verifier> {
  return {
    name: 'verifier',
    start: (signal) => {
      const node = createNode({ urls: config.RPC_URL!, log })
      const pool = createCompilePool()
      const folder = join(config.DATA_DIR, 'compilers')
      const verifier = createVerifier({
        compilers: createCompilers({
          folder,
          compilersDir: config.COMPILERS_DIR,
          pool,
          environment: fetchEnvironment,
        }),
        pool,
        cache: createResultCache(join(folder, 'results')),
      })
      const reader = createContractReader(node, createContractCaches())
      const highlighter = createHighlighter()
      const ended = metrics.counter(
        'firstlight_verifications_total',
        'Verifications that ended in this process, by outcome: verified, proxy, or the code of the failure',
        ['outcome'],
      )
      const runner = createJobRunner({
        database,
        work: createJobWork({ verifier, node, queries: database, reader, highlighter }),
        // Each job has at most one compiler at work. Jobs that fetch a compiler, and proxies, need no compile slot.
        concurrency: CONCURRENT_COMPILERS + JOBS_WITHOUT_SLOT,
        runningOfSender: maxRunningOfSender(CONCURRENT_COMPILERS),
        compileBudgetMs: config.VERIFY_COMPILE_S * 1000,
        onEnded: (outcome) => ended.inc({ outcome }),
        log,
      })
      let sandbox: SandboxState | null = null
      const sandboxFound = pool.sandbox().then(({ describe, isClosed }) => {
        sandbox = { describe, isClosed }
        if (!isClosed) log.warn(`compilers are not closed off: ${describe}; install bubblewrap`)
        return sandbox
      })
      const running = runner.run(signal)
      return {
        ...runner,
        sandbox: () => sandbox,
        sandboxFound,
        async stop() {
          await running
          node.close()
          await Promise.all([verifier.stop(), highlighter.stop()])
        },
      }
    },
    stop: (runner) => runner.stop(),
  }
}
