// Verification as two parts of a server: the verifier, which compiles (only with its role; several processes may share the jobs of one
// database), and the reader, which takes submissions and answers questions about contracts.
import { join } from 'node:path'
import type { Part } from '../lib/async/lifecycle.ts'
import type { Database } from '../store/engine/database.ts'
import { createNode } from '../upstream/node/node.ts'
import { CONCURRENT_COMPILERS, createCompilePool } from '../verification/compile/pool.ts'
import { createResultCache } from '../verification/compile/result-cache.ts'
import { createCompilers } from '../verification/compilers/compilers.ts'
import { createHighlighter } from '../verification/highlight/highlighter.ts'
import { createJobWork } from '../verification/jobs/job-work.ts'
import { createJobRunner, type JobRunner } from '../verification/jobs/runner.ts'
import { maxRunningOfSender } from '../verification/jobs/sender-limits.ts'
import { createVerification, createVerificationCaches, type Verification } from '../verification/jobs/verification.ts'
import { createContractCaches, createContractReader } from '../verification/proxies/contract-reader.ts'
import { createVerifier } from '../verification/verify.ts'
import type { ServerContext } from './context.ts'

/** A client waits for these answers. */
const READ_TIMEOUT_MS = 5_000
/** Jobs beyond the compile slots that run at the same time. */
const JOBS_WITHOUT_SLOT = 4

export function verificationPart(
  { config, log }: Pick<ServerContext, 'config' | 'log'>,
  { database, verifier }: { readonly database: Database; readonly verifier: JobRunner | undefined },
): Part<Verification & { close(): void }> {
  return {
    name: 'verification',
    start: () => {
      const node = createNode({ urls: config.RPC_URL!, log, giveUpAfterMs: READ_TIMEOUT_MS, maxConcurrency: 16 })
      const caches = createVerificationCaches()
      return {
        ...createVerification({
          database,
          node,
          caches,
          compileBudgetMs: config.VERIFY_COMPILE_S * 1000,
          onAdded: () => verifier?.wake(),
        }),
        close: () => node.close(),
      }
    },
    stop: (verification) => verification.close(),
  }
}

export type SandboxState = { readonly describe: string; readonly isClosed: boolean }

export function verifierPart(
  { config, log }: Pick<ServerContext, 'config' | 'log'>,
  database: Database,
): Part<JobRunner & { stop(): Promise<void>; sandbox(): SandboxState | null }> {
  return {
    name: 'verifier',
    start: (signal) => {
      const node = createNode({ urls: config.RPC_URL!, log })
      const pool = createCompilePool()
      const folder = join(config.DATA_DIR, 'compilers')
      const verifier = createVerifier({
        compilers: createCompilers({ folder, compilersDir: config.COMPILERS_DIR, pool }),
        pool,
        cache: createResultCache(join(folder, 'results')),
      })
      const reader = createContractReader(node, createContractCaches())
      const highlighter = createHighlighter()
      const runner = createJobRunner({
        database,
        work: createJobWork({ verifier, node, queries: database, reader, highlighter }),
        // Each job has at most one compiler at work. Jobs that fetch a compiler, and proxies, need no compile slot.
        concurrency: CONCURRENT_COMPILERS + JOBS_WITHOUT_SLOT,
        runningOfSender: maxRunningOfSender(CONCURRENT_COMPILERS),
        compileBudgetMs: config.VERIFY_COMPILE_S * 1000,
        log,
      })
      let sandbox: SandboxState | null = null
      void pool.sandbox().then(({ describe, isClosed }) => {
        sandbox = { describe, isClosed }
        if (!isClosed) log.warn(`compilers are not closed off: ${describe}; install bubblewrap`)
      })
      const running = runner.run(signal)
      return {
        ...runner,
        sandbox: () => sandbox,
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
