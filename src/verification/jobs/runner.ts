// Runs the jobs of the verification queue, a few at a time, beside any number of other processes that do the same. The lease on a
// job is renewed while it runs. A process that loses a lease stops the job and writes nothing; a process that stops gives its jobs
// back to the queue.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../lib/log.ts'
import type { Database, Queries } from '../../store/engine/database.ts'
import { claimJob } from '../../store/jobs/claim-job.ts'
import {
  addStage,
  endJob,
  type HeldJob,
  type JobRow,
  noteStage,
  pruneJobs,
  releaseJob,
  renewLease,
} from '../../store/jobs/verification-jobs.ts'
import { NodeUnavailable } from '../../upstream/node/failures.ts'
import { createSlotTimer, type SlotTimer } from '../compile/pool.ts'
import type { WhileFetching } from '../verify.ts'
import { failedJob, type JobResult } from './job-result.ts'
import { SPENT_WINDOW_MS, spentBudget } from './sender-limits.ts'

/** Renewed four times before it expires. */
const LEASE_MS = 20_000
const RENEW_EVERY_MS = 4_000
/** How soon a job that another process added is seen; `wake` announces those of this process. */
const POLL_EVERY_MS = 1_000
/** After this many attempts that ended their process, the job is taken for the cause. */
const MAX_ATTEMPTS = 5
const JOB_TIMEOUT_MS = 10 * 60_000
/** Ended jobs are deleted after this time. */
const RETENTION_MS = 30 * 86_400_000
const DELETE_EVERY_MS = 3_600_000
/** Jobs that wait for a compiler to be fetched, beside those that run. Further ones take the places of jobs that could run. */
const MAX_FETCHING = 8

export type FinishedWork = {
  readonly result: JobResult
  /** Runs in the transaction that ends the job, so that both are written or neither. */
  readonly write?: (queries: Queries) => Promise<void>
}

export type JobWork = (
  job: JobRow,
  context: {
    readonly stage: (name: string) => void
    readonly signal: AbortSignal
    /** Runs while the job has a compile slot: its sender is charged for that time. */
    readonly timer: SlotTimer
    /** Another job may run in the place of this one until the work, which only waits, has ended. */
    readonly whileFetching: WhileFetching
  },
) => Promise<FinishedWork>

export type RunnerOptions = {
  readonly database: Database
  readonly work: JobWork
  readonly concurrency: number
  /** How many jobs of one sender run at the same time, in all processes together. */
  readonly runningOfSender: number
  /** Compile time of one sender in an hour; 0 has no limit. */
  readonly compileBudgetMs: number
  readonly log: Log
  /** With `verified`, `proxy`, or the code of the failure. */
  readonly onEnded?: ((outcome: string) => void) | undefined
  /** How long a lease lasts; tests make it short. */
  readonly leaseMs?: number
}

export type JobRunner = {
  /** Runs until the signal aborts; jobs under way then go back into the queue. */
  run: (signal: AbortSignal) => Promise<void>
  /** There is a new job in the queue. */
  wake: () => void
}

export function createJobRunner(options: RunnerOptions): JobRunner {
  const { database, work, concurrency, runningOfSender, compileBudgetMs, log, onEnded, leaseMs = LEASE_MS } = options
  let wakeUp = Promise.withResolvers<void>()
  const wake = (): void => {
    wakeUp.resolve()
    wakeUp = Promise.withResolvers()
  }
  /** Loops that look for a job or run one which is not waiting for its compiler. */
  let busy = 0

  const loop = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const woken = wakeUp.promise
      if (busy >= concurrency || !(await claimAndRun(signal))) {
        await Promise.race([woken, sleep(POLL_EVERY_MS, undefined, { signal })]).catch(() => {})
      }
    }
  }

  /** False where there was no job to run, or the database failed. */
  const claimAndRun = async (signal: AbortSignal): Promise<boolean> => {
    busy++
    try {
      // A new owner for each claim: a loop that stalled must not take the lease of the next loop for its own.
      const owner = randomUUID()
      const nowMs = Date.now()
      const spentSinceMs = nowMs - SPENT_WINDOW_MS
      const claim = { owner, leaseUntilMs: nowMs + leaseMs, nowMs, runningOfSender, spentSinceMs }
      const job = await claimJob(database, claim)
      if (job) await runJob(job, owner, signal)
      return job !== undefined
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, 'verification runner: the database failed; retrying')
      return false
    } finally {
      busy--
    }
  }

  const whileFetching: WhileFetching = async (fetch) => {
    busy--
    wake()
    try {
      return await fetch()
    } finally {
      busy++
    }
  }

  const runJob = async (job: JobRow, owner: string, stopping: AbortSignal): Promise<void> => {
    const { guid } = job
    const timer = createSlotTimer()
    const held: HeldJob = {
      guid,
      owner,
      get compileMs() {
        return job.compileMs + timer.ms
      },
    }
    const lost = new AbortController()
    const timedOut = AbortSignal.timeout(JOB_TIMEOUT_MS)
    const signal = AbortSignal.any([stopping, lost.signal, timedOut])
    const renewing = renewLeaseUntil(signal, held, lost)
    let stagesWritten: Promise<unknown> = Promise.resolve()
    const stage = (name: string) => {
      stagesWritten = stagesWritten
        .then(() => noteStage(database, held, { stage: name, atMs: Date.now() }))
        .catch((error) => log.debug({ error, guid }, 'verification runner: a stage was not stored'))
    }
    try {
      const finished = await workOn(job, { stage, signal, timer, stopping, lost: lost.signal, timedOut })
      await stagesWritten
      if (finished) await endHeldJob(held, finished)
      else if (!lost.signal.aborted) await releaseJob(database, held)
    } finally {
      lost.abort()
      await renewing
    }
  }

  /** Undefined where this process must not end the job: it is stopping, or it lost the lease. */
  const workOn = async (
    job: JobRow,
    signals: Omit<Parameters<JobWork>[1], 'whileFetching'> &
      Readonly<Record<'stopping' | 'lost' | 'timedOut', AbortSignal>>,
  ): Promise<FinishedWork | undefined> => {
    const { stage, signal, timer, stopping, lost, timedOut } = signals
    if (job.attempts > MAX_ATTEMPTS) {
      const message = `It was begun ${MAX_ATTEMPTS} times, and each time the process that ran it ended. Please submit again.`
      return { result: failedJob('job_abandoned', message) }
    }
    const spent = await spentBudget(database, { sender: job.sender, budgetMs: compileBudgetMs, nowMs: Date.now() })
    if (spent && job.kind === 'source') return { result: failedJob('compile_time_spent', spent.message) }
    try {
      return await work(job, { stage, signal, timer, whileFetching })
    } catch (error) {
      if (stopping.aborted || lost.aborted) return undefined
      if (timedOut.aborted) {
        return { result: failedJob('job_timeout', `It did not end within ${JOB_TIMEOUT_MS / 60_000} minutes.`) }
      }
      if (error instanceof NodeUnavailable) {
        const message = `The chain could not be read: ${error.message}. Please submit again.`
        return { result: failedJob('node_unavailable', message) }
      }
      log.error({ error, guid: job.guid }, 'bug in a verification job')
      return { result: failedJob('internal_error', `System error. Please quote the job ${job.guid}.`) }
    }
  }

  const endHeldJob = async (held: HeldJob, { result, write }: FinishedWork): Promise<void> => {
    const { guid } = held
    const state = result.type === 'failed' ? 'failed' : 'succeeded'
    const endedMs = Date.now()
    const isEnded = await database.transaction(async (queries) => {
      if (!(await endJob(queries, held, { state, outcome: JSON.stringify(result), endedMs }))) return false
      await write?.(queries)
      await addStage(queries, guid, { stage: state, atMs: endedMs })
      return true
    })
    if (!isEnded) return
    onEnded?.(result.type === 'failed' ? result.code : result.type)
    log.debug({ guid, ...(result.type === 'failed' ? { code: result.code } : result) }, `verification ${state}`)
  }

  const renewLeaseUntil = async (signal: AbortSignal, held: HeldJob, lost: AbortController): Promise<void> => {
    const { guid } = held
    // By the clock of this process alone; the one of the machine may be set meanwhile.
    let heldUntilMs = performance.now() + leaseMs
    while (!signal.aborted) {
      await sleep(Math.min(RENEW_EVERY_MS, leaseMs / 4), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const renewedMs = performance.now()
      try {
        if (await renewLease(database, held, Date.now() + leaseMs)) heldUntilMs = renewedMs + leaseMs
        else lost.abort(new Error('the lease was lost'))
      } catch (error) {
        log.debug({ error, guid }, 'verification runner: a lease was not renewed')
        if (performance.now() > heldUntilMs) lost.abort(new Error('the lease expired'))
      }
    }
  }

  const deleteOldJobs = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await pruneJobs(database, Date.now() - RETENTION_MS).catch((error) =>
        log.debug({ error }, 'verification runner: old jobs were not deleted'),
      )
      await sleep(DELETE_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  return {
    run: async (signal) => {
      const loops = Array.from({ length: concurrency + MAX_FETCHING }, () => loop(signal))
      await Promise.all([...loops, deleteOldJobs(signal)])
    },
    wake,
  }
}
