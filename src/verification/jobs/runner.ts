// Runs jobs from the store, a few at a time, beside any number of other processes that do the same. A lease is renewed while a
// job runs; whoever loses it stops at once and writes nothing. What this process began and cannot end it gives back.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../lib/log.ts'
import type { Database, Queries } from '../../store/engine/database.ts'
import {
  addStage,
  claimJob,
  endJob,
  type JobRow,
  noteStage,
  pruneJobs,
  releaseJob,
  renewLease,
} from '../../store/jobs/verification-jobs.ts'
import { NodeUnavailable } from '../../upstream/node/failures.ts'
import { failed, type Outcome } from './job-result.ts'

/** Renewed four times before it runs out. */
const LEASE_MS = 20_000
const RENEW_EVERY_MS = 4_000
/** How soon a job of another process is seen; those of this one are told of at once. */
const LOOK_EVERY_MS = 1_000
/** A job that ended its process this often is taken for the reason. */
const MOST_ATTEMPTS = 5
const LONGEST_JOB_MS = 10 * 60_000
const FORGET_AFTER_MS = 30 * 86_400_000
const FORGET_EVERY_MS = 3_600_000

export type JobResult = {
  readonly outcome: Outcome
  /** Written together with the end of the job, or not at all. */
  readonly write?: (queries: Queries) => Promise<void>
}

export type JobWork = (
  job: JobRow,
  context: { readonly stage: (name: string) => void; readonly signal: AbortSignal },
) => Promise<JobResult>

export type RunnerOptions = {
  readonly database: Database
  readonly work: JobWork
  readonly concurrency: number
  readonly log: Log
  /** For tests: how long a lease holds. */
  readonly leaseMs?: number
}

export type JobRunner = {
  /** Until the signal; what is under way then goes back into the queue. */
  run: (signal: AbortSignal) => Promise<void>
  /** There is something new. */
  wake: () => void
}

type Held = { readonly guid: string; readonly owner: string }

export function createJobRunner(options: RunnerOptions): JobRunner {
  const { database, work, concurrency, log, leaseMs = LEASE_MS } = options
  /** Each time it is taken by another name: who stood still for too long may find the job with the loop beside it. */
  const leaseFor = (owner: string) => ({ owner, leaseUntilMs: Date.now() + leaseMs })
  let news = Promise.withResolvers<void>()

  const loop = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const heard = news.promise
      try {
        const owner = randomUUID()
        const job = await claimJob(database, leaseFor(owner), Date.now())
        if (job) await perform(job, { guid: job.guid, owner }, signal)
        else await Promise.race([heard, sleep(LOOK_EVERY_MS, undefined, { signal })]).catch(() => {})
      } catch (error) {
        if (signal.aborted) return
        log.warn({ error }, 'verification jobs wait for the database')
        await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  const perform = async (job: JobRow, held: Held, stopping: AbortSignal): Promise<void> => {
    const { guid, owner } = held
    const lost = new AbortController()
    const late = AbortSignal.timeout(LONGEST_JOB_MS)
    const signal = AbortSignal.any([stopping, lost.signal, late])
    const renewing = renewUntil(signal, held, lost)
    let noted: Promise<unknown> = Promise.resolve()
    const stage = (name: string) => {
      noted = noted
        .then(() => noteStage(database, held, { stage: name, atMs: Date.now() }))
        .catch((error) => log.debug({ error, guid }, 'a stage was not noted'))
    }
    try {
      const result = await resultOf(job, { stage, signal, stopping, lost: lost.signal, late })
      await noted
      if (result) await end(held, result)
      else if (!lost.signal.aborted) await releaseJob(database, guid, owner)
    } finally {
      lost.abort()
      await renewing
    }
  }

  /** Undefined where the job is not to be ended by us. */
  const resultOf = async (
    job: JobRow,
    signals: Parameters<JobWork>[1] & { stopping: AbortSignal; lost: AbortSignal; late: AbortSignal },
  ): Promise<JobResult | undefined> => {
    const { stage, signal, stopping, lost, late } = signals
    if (job.attempts > MOST_ATTEMPTS) {
      const message = `It was begun ${MOST_ATTEMPTS} times, and each time the process that ran it ended. Please submit again.`
      return { outcome: failed('job_abandoned', message) }
    }
    try {
      return await work(job, { stage, signal })
    } catch (error) {
      if (stopping.aborted || lost.aborted) return undefined
      if (late.aborted) {
        return { outcome: failed('job_timeout', `It did not end within ${LONGEST_JOB_MS / 60_000} minutes.`) }
      }
      if (error instanceof NodeUnavailable) {
        return {
          outcome: failed('node_unavailable', `The chain could not be read: ${error.message}. Please submit again.`),
        }
      }
      log.error({ error, guid: job.guid }, 'bug in a verification job')
      return { outcome: failed('internal_error', `System error. Please quote the job ${job.guid}.`) }
    }
  }

  const end = async (held: Held, { outcome, write }: JobResult): Promise<void> => {
    const state = outcome.type === 'failed' ? 'failed' : 'succeeded'
    const endedMs = Date.now()
    const isOurs = await database.transaction(async (queries) => {
      if (!(await endJob(queries, held, { state, outcome: JSON.stringify(outcome), endedMs }))) return false
      await write?.(queries)
      await addStage(queries, held.guid, { stage: state, atMs: endedMs })
      return true
    })
    if (!isOurs) return
    log.debug(
      { guid: held.guid, ...(outcome.type === 'failed' ? { code: outcome.code } : outcome) },
      `verification ${state}`,
    )
  }

  const renewUntil = async (signal: AbortSignal, { guid, owner }: Held, lost: AbortController): Promise<void> => {
    let heldUntilMs = Date.now() + leaseMs
    while (!signal.aborted) {
      await sleep(Math.min(RENEW_EVERY_MS, leaseMs / 4), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const lease = leaseFor(owner)
      try {
        if (await renewLease(database, guid, lease)) heldUntilMs = lease.leaseUntilMs
        else lost.abort(new Error('the lease was lost'))
      } catch (error) {
        log.debug({ error, guid }, 'a lease was not renewed')
        if (Date.now() > heldUntilMs) lost.abort(new Error('the lease ran out'))
      }
    }
  }

  const forget = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await pruneJobs(database, Date.now() - FORGET_AFTER_MS).catch((error) =>
        log.debug({ error }, 'old verification jobs were not forgotten'),
      )
      await sleep(FORGET_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  return {
    run: async (signal) => {
      const loops = Array.from({ length: concurrency }, () => loop(signal))
      await Promise.all([...loops, forget(signal)])
    },
    wake: () => {
      news.resolve()
      news = Promise.withResolvers()
    },
  }
}
