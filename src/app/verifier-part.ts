// Verification as parts of a server: the desk that takes submissions and tells of contracts, and, with the role, the runner that
// compiles. Several processes may run jobs of one database.
import { join } from 'node:path'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import type { Database } from '../store/engine/database.ts'
import { createNode } from '../upstream/node/node.ts'
import { CONCURRENT_COMPILERS, createCompilePool } from '../verification/compile/pool.ts'
import { createResultCache } from '../verification/compile/result-cache.ts'
import { createCompilers } from '../verification/compilers/compilers.ts'
import { createHighlighter, keepShapes } from '../verification/highlight/highlighter.ts'
import type { Submission } from '../verification/input/submission.ts'
import { createJobRunner, type JobRunner } from '../verification/jobs/runner.ts'
import { createProxyWork, createSourceWork } from '../verification/jobs/source-job.ts'
import { createVerification, type Verification } from '../verification/jobs/verification.ts'
import { createContractReader } from '../verification/proxies/contract-reader.ts'
import { createVerifier } from '../verification/verify.ts'
import type { Config } from './options.ts'

/** Somebody waits for these answers. */
const READ_PATIENCE_MS = 5_000

export type VerifierPartOptions = {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly lifecycle: Lifecycle
}

export async function startVerification(options: VerifierPartOptions): Promise<Verification> {
  const { config, database, log, lifecycle } = options
  const node = createNode({ urls: config.RPC_URL!, log, giveUpAfterMs: READ_PATIENCE_MS, maxConcurrency: 16 })
  const runner = config.ROLES.includes('verifier') ? await startRunner(options) : undefined
  await lifecycle.start({ name: 'verification desk', start: () => {}, stop: () => node.close() })
  return createVerification({ database, node, onAdded: () => runner?.wake() })
}

async function startRunner({ config, database, log, lifecycle }: VerifierPartOptions): Promise<JobRunner> {
  const node = createNode({ urls: config.RPC_URL!, log })
  const pool = createCompilePool()
  const folder = join(config.DATA_DIR, 'compilers')
  const verifier = createVerifier({
    compilers: createCompilers({ folder, compilersDir: config.COMPILERS_DIR, pool }),
    pool,
    cache: createResultCache(join(folder, 'results')),
  })
  const reader = createContractReader(node)
  const works = {
    source: createSourceWork({ verifier, node, queries: database, reader }),
    proxy: createProxyWork(reader),
  }
  const highlighter = createHighlighter()
  const runner = createJobRunner({
    database,
    work: async (job, context) => {
      const result = await works[job.kind](job, context)
      if (result.outcome.type === 'verified') {
        await keepShapes({ queries: database, highlighter }, JSON.parse(job.payload) as Submission, context.signal)
      }
      return result
    },
    // Each has at most one compiler at work; one more, so that proxies need not wait for compilers.
    concurrency: CONCURRENT_COMPILERS + 1,
    log,
  })
  let running: Promise<void> | undefined
  await lifecycle.start({
    name: 'verifier',
    start: (signal) => {
      running = runner.run(signal)
    },
    stop: async () => {
      await running
      node.close()
      await Promise.all([verifier.stop(), highlighter.stop()])
    },
  })
  return runner
}
