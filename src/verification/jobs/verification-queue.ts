// The verification queue as submitters see it: it takes submissions, refuses them while it is full, and reports on jobs. A submission
// whose guid was returned is stored; a process with the role `verifier` runs it (runner.ts).
import { createHash, randomUUID } from 'node:crypto'
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import type { Database } from '../../store/engine/database.ts'
import { type QueuePosition, queuePosition } from '../../store/jobs/claim-job.ts'
import {
  type AddedJob,
  addJob,
  type JobKind,
  type JobRow,
  type JobStage,
  type JobState,
  type JobSummary,
  jobByGuid,
  jobStages,
} from '../../store/jobs/verification-jobs.ts'
import { verifiedAt } from '../../store/jobs/verified-contracts.ts'
import type { Submission } from '../input/submission.ts'
import type { ContractReader } from '../proxies/contract-reader.ts'
import type { JobResult } from './job-result.ts'
import type { ProxyPayload } from './job-work.ts'
import { MAX_OPEN_OF_SENDER, SPENT_WINDOW_MS, spentBudget } from './sender-limits.ts'

/** Queued and running jobs of all processes together; further submissions are refused until some have ended. */
const MAX_OPEN_JOBS = 200
const RETRY_AFTER_S = 30

export type Job = Omit<JobSummary, 'outcome'> & {
  /** Null until the job has ended. */
  readonly outcome: JobResult | null
  /** Null for a job that does not wait. */
  readonly queue: QueuePosition | null
}

/** Too many open jobs of all senders, too many of this one, or its compile time of the hour is used up. */
export const QUEUE_REFUSALS = ['queue', 'sender', 'compile_time'] as const
export type QueueRefusal = (typeof QUEUE_REFUSALS)[number]

export type VerificationQueue = {
  /**
   * Returns the guid of the job. Where the same code is verified exactly already, the job has succeeded by then. Refuses a sender
   * that has too many open jobs or has used up its compile time.
   */
  submitSource: (address: Hex, submission: Submission, sender: string) => Promise<string>
  submitProxy: (address: Hex, payload: ProxyPayload, sender: string) => Promise<string>
  job: (guid: string) => Promise<Job | undefined>
  stages: (guid: string) => Promise<readonly JobStage[]>
}

export type VerificationQueueOptions = {
  readonly database: Database
  readonly reader: Pick<ContractReader, 'codeAt'>
  /** Compile time of one sender in an hour; 0 has no limit. */
  readonly compileBudgetMs: number
  /** Wakes the runner of this process, if it has one. */
  readonly onAdded: () => void
  readonly onRefused?: ((why: QueueRefusal) => void) | undefined
}

type NewJob = {
  readonly kind: JobKind
  readonly address: Hex
  readonly payload: string
  readonly sender: string
  /** The result of a job that need not run. */
  readonly ended?: JobResult
}

export function createVerificationQueue(options: VerificationQueueOptions): VerificationQueue {
  const { database, reader, compileBudgetMs: budgetMs, onAdded, onRefused } = options
  const add = async ({ kind, address, payload, sender, ended }: NewJob): Promise<string> => {
    const nowMs = Date.now()
    const added = await addJob(
      database,
      {
        guid: randomUUID().replaceAll('-', ''),
        kind,
        address,
        payloadHash: hashOf(kind, address, payload),
        sender,
        payload: ended ? '' : payload,
        ...(ended ? stateOf('succeeded', nowMs) : stateOf('queued', null)),
        createdMs: nowMs,
        outcome: ended ? JSON.stringify(ended) : null,
        compileMs: 0,
      },
      { open: MAX_OPEN_JOBS, openOfSender: MAX_OPEN_OF_SENDER },
    )
    if (added.type === 'full') {
      onRefused?.(added.of)
      throw fullFailure(added)
    }
    onAdded()
    return added.guid
  }

  return {
    submitSource: async (address, submission, sender) => {
      const payload = JSON.stringify(submission)
      const verified = await verifiedAt(database, address)
      if (verified?.rank !== 'exact' || (await reader.codeAt(address)).codeHash !== verified.codeHash) {
        const spent = await spentBudget(database, { sender, budgetMs, nowMs: Date.now() })
        if (spent) {
          onRefused?.('compile_time')
          throw new Failure('tooManyRequests', spent.message, { retryAfterS: spent.retryAfterS })
        }
        return add({ kind: 'source', address, payload, sender })
      }
      const earlier = await jobByGuid(database, verified.guid)
      // The job that verified it may have been deleted since.
      const result: JobResult = earlier?.outcome
        ? (JSON.parse(earlier.outcome) as JobResult)
        : { type: 'verified', match: 'exact', runtime: 'exact', creation: null, contract: verified.name }
      return add({ kind: 'source', address, payload, sender, ended: result })
    },
    submitProxy: (address, payload, sender) =>
      add({ kind: 'proxy', address, payload: JSON.stringify(payload), sender }),
    job: async (guid) => {
      const row = await jobByGuid(database, guid)
      if (!row) return undefined
      const isWaiting = row.state === 'queued'
      const queue = isWaiting ? await queuePosition(database, guid, Date.now() - SPENT_WINDOW_MS) : undefined
      const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as JobResult)
      return { ...row, outcome, queue: queue ?? null }
    },
    stages: (guid) => jobStages(database, guid),
  }
}

function fullFailure({ of, open }: Extract<AddedJob, { type: 'full' }>): Failure {
  if (of === 'sender') {
    const message = `You have ${open} verifications that have not ended. Please wait until some of them have.`
    return new Failure('tooManyRequests', message, { retryAfterS: RETRY_AFTER_S })
  }
  const message = `Service temporarily unavailable: ${open} verifications are waiting. Please try again later.`
  return new Failure('queueFull', message, { retryAfterS: RETRY_AFTER_S })
}

/** For whoever waits for a job; empty where there is nothing to say yet. */
export function progressOf({ queue, stage, outcome }: Job): string {
  if (outcome !== null) return ''
  if (queue) return `Position ${queue.position} of ${queue.length} in the queue.`
  return stage === '' ? '' : `Running: ${stage}.`
}

function stateOf(state: JobState, endedMs: number | null) {
  return { state, endedMs, stage: '', attempts: 0, owner: null, leaseUntilMs: 0 } satisfies Partial<JobRow>
}

/** Two open jobs with the same hash are one job: the second submission gets the guid of the first. */
function hashOf(kind: JobKind, address: Hex, payload: string): Hex {
  return `0x${createHash('sha256')
    .update(JSON.stringify([kind, address, payload]))
    .digest('hex')}`
}
