// Where submissions are taken and asked after. A job that was acknowledged is in the store; whoever has the role runs it.
import { createHash, randomUUID } from 'node:crypto'
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import type { Database } from '../../store/engine/database.ts'
import {
  addJob,
  countOpenJobs,
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
import type { Outcome } from './job-result.ts'
import type { ProxyPayload } from './source-job.ts'

/** Jobs that wait or run, over all processes; beyond that a submission is refused for now. */
const MOST_OPEN_JOBS = 200
const RETRY_AFTER_S = 30

export type Job = Omit<JobSummary, 'outcome'> & {
  /** Null until it ended. */
  readonly outcome: Outcome | null
}

export type JobDesk = {
  /** The guid. At once a success where the very code was verified exactly before. */
  submitSource: (address: Hex, submission: Submission) => Promise<string>
  submitProxy: (address: Hex, payload: ProxyPayload) => Promise<string>
  job: (guid: string) => Promise<Job | undefined>
  stages: (guid: string) => Promise<readonly JobStage[]>
}

export type JobDeskOptions = {
  readonly database: Database
  readonly reader: Pick<ContractReader, 'codeAt'>
  /** Tells the runner of this process, where there is one. */
  readonly onAdded: () => void
}

export function createJobDesk({ database, reader, onAdded }: JobDeskOptions): JobDesk {
  const add = async (kind: JobKind, address: Hex, payload: string, ended?: Outcome): Promise<string> => {
    const open = await countOpenJobs(database)
    if (open >= MOST_OPEN_JOBS) {
      const message = `Service temporarily unavailable: ${open} verifications are waiting. Please try again later.`
      throw new Failure('notReady', message, { retryAfterS: RETRY_AFTER_S })
    }
    const nowMs = Date.now()
    const guid = await addJob(database, {
      guid: randomUUID().replaceAll('-', ''),
      kind,
      address,
      payloadHash: hashOf(kind, address, payload),
      payload: ended ? '' : payload,
      ...(ended ? stateOf('succeeded', nowMs) : stateOf('queued', null)),
      createdMs: nowMs,
      outcome: ended ? JSON.stringify(ended) : null,
    })
    onAdded()
    return guid
  }

  return {
    submitSource: async (address, submission) => {
      const payload = JSON.stringify(submission)
      const known = await verifiedAt(database, address)
      if (known?.rank === 'exact' && (await reader.codeAt(address)).codeHash === known.codeHash) {
        const job = await jobByGuid(database, known.guid)
        const outcome: Outcome = job?.outcome
          ? (JSON.parse(job.outcome) as Outcome)
          : { type: 'verified', match: 'exact', runtime: 'exact', creation: null, contract: known.name }
        return add('source', address, payload, outcome)
      }
      return add('source', address, payload)
    },
    submitProxy: (address, payload) => add('proxy', address, JSON.stringify(payload)),
    job: async (guid) => {
      const row = await jobByGuid(database, guid)
      return row && { ...row, outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as Outcome) }
    },
    stages: (guid) => jobStages(database, guid),
  }
}

function stateOf(state: JobState, endedMs: number | null) {
  return { state, endedMs, stage: '', attempts: 0, owner: null, leaseUntilMs: 0 } satisfies Partial<JobRow>
}

function hashOf(kind: JobKind, address: Hex, payload: string): Hex {
  return `0x${createHash('sha256')
    .update(JSON.stringify([kind, address, payload]))
    .digest('hex')}`
}
