// The verification queue. The process that runs a job holds a lease on it and renews the lease. When a process dies its leases run out, and
// other processes take its jobs. The caller gives all times.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database, Queries, Row } from '../engine/database.ts'
import { bytes, createTable, integer, nullable, oneOf, text } from '../schema/table.ts'

export const JOB_KINDS = ['source', 'proxy'] as const
export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed'] as const
export type JobKind = (typeof JOB_KINDS)[number]
export type JobState = (typeof JOB_STATES)[number]

export type JobRow = {
  readonly guid: string
  readonly kind: JobKind
  readonly address: Hex
  readonly payloadHash: Hex
  /** JSON; emptied when the job ends. */
  readonly payload: string
  readonly state: JobState
  /** The current step, while it runs. */
  readonly stage: string
  /** How often it was started. */
  readonly attempts: number
  readonly owner: string | null
  readonly leaseUntilMs: number
  readonly createdMs: number
  readonly endedMs: number | null
  /** JSON: the result. */
  readonly outcome: string | null
}

export type JobStage = { readonly stage: string; readonly atMs: number }

/** The name of the holder of a lease, and the time when the lease runs out. */
export type Lease = { readonly owner: string; readonly leaseUntilMs: number }

const jobs = createTable<JobRow>('verification_jobs', {
  guid: text,
  kind: oneOf(JOB_KINDS),
  address: bytes,
  payloadHash: bytes,
  payload: text,
  state: oneOf(JOB_STATES),
  stage: text,
  attempts: integer,
  owner: nullable(text),
  leaseUntilMs: integer,
  createdMs: integer,
  endedMs: nullable(integer),
  outcome: nullable(text),
})

const SUMMARY = [
  'guid',
  'kind',
  'address',
  'state',
  'stage',
  'attempts',
  'createdMs',
  'endedMs',
  'outcome',
] as const satisfies (keyof JobRow)[]

/** A job without its payload. */
export type JobSummary = Pick<JobRow, (typeof SUMMARY)[number]>

function codeOf(state: JobState): number {
  return JOB_STATES.indexOf(state)
}
const QUEUED = codeOf('queued')
const RUNNING = codeOf('running')

/** A job has about ten stages for each attempt. */
const MAX_STAGES = 200

/** Returns the guid of the open job with the same payload if there is one, otherwise adds this job and returns its guid. */
export async function addJob(database: Database, job: JobRow): Promise<string> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const guid = await addOrFind(database, job)
    if (guid !== undefined) return guid
  }
  throw new Error('jobs with the same payload end faster than one can be added')
}

/** Undefined when a job with the same payload ended between the two statements. */
function addOrFind(database: Database, job: JobRow): Promise<string | undefined> {
  return database.transaction(async (queries) => {
    await queries.insert(jobs, [jobs.encode(job)], '(payload_hash) where state < 2 do nothing')
    if ((await jobByGuid(queries, job.guid)) !== undefined) return job.guid
    // Index verification_jobs_in_flight.
    const [row] = await queries.all<{ guid: string }>(
      `select guid
      from verification_jobs
      where payload_hash = $1 and state < 2`,
      [bytes.encode(job.payloadHash)],
    )
    return row?.guid
  })
}

const MAX_TRIES = 5

/** By the primary key. */
export async function jobByGuid(queries: Queries, guid: string): Promise<JobSummary | undefined> {
  const [row] = await queries.all(
    `select ${jobs.select(SUMMARY)}
    from verification_jobs
    where guid = $1`,
    [guid],
  )
  return row && jobs.decode(row, SUMMARY)
}

/** By the primary key. */
export function jobStages(queries: Queries, guid: string): Promise<JobStage[]> {
  return queries.all<JobStage & Row>(
    `select stage, at_ms as "atMs"
    from verification_stages
    where guid = $1
    order by number
    limit ${MAX_STAGES}`,
    [guid],
  )
}

/** Queued and running. Index verification_jobs_open. */
export async function countOpenJobs(queries: Queries): Promise<number> {
  const [row] = await queries.all<{ count: number }>(
    `select count(*) as count
    from verification_jobs
    where state < 2`,
  )
  return row!.count
}

/** Not for an address that another job runs for. */
const CLAIMABLE = `
  j.state < 2
  and (j.state = ${QUEUED} or j.lease_until_ms < $1)
  and not exists (
    select 1
    from verification_jobs r
    where r.address = j.address and r.state = ${RUNNING} and r.lease_until_ms >= $1
  )`

/** Takes a lease on the oldest job that is queued or whose lease ran out. Index verification_jobs_open. */
export async function claimJob(
  database: Database,
  { owner, leaseUntilMs }: Lease,
  nowMs: number,
): Promise<JobRow | undefined> {
  // A read costs little, while a transaction makes the other writers of SQLite wait.
  const claimable = await database.all(
    `select 1 as one
    from verification_jobs j
    where ${CLAIMABLE}
    limit 1`,
    [nowMs],
  )
  if (claimable.length === 0) return undefined
  return database.transaction(async (queries) => {
    const lock = database.engine === 'postgres' ? 'for update of j skip locked' : ''
    const [found] = await queries.all(
      `select ${jobs.select(undefined, 'j')}
      from verification_jobs j
      where ${CLAIMABLE}
      order by j.created_ms, j.guid
      limit 1
      ${lock}`,
      [nowMs],
    )
    if (!found) return undefined
    const job = jobs.decode(found)
    await queries.run(
      `update verification_jobs
      set state = ${RUNNING}, owner = $2, lease_until_ms = $3, attempts = attempts + 1
      where guid = $1`,
      [job.guid, owner, leaseUntilMs],
    )
    return { ...job, state: 'running', owner, leaseUntilMs, attempts: job.attempts + 1 }
  })
}

/** By the primary key. */
const LEASED = `guid = $1 and owner = $2 and state = ${RUNNING}`

/** False when the lease was lost. */
export async function renewLease(queries: Queries, guid: string, { owner, leaseUntilMs }: Lease): Promise<boolean> {
  const changed = await queries.run(
    `update verification_jobs
    set lease_until_ms = $3
    where ${LEASED}`,
    [guid, owner, leaseUntilMs],
  )
  return changed === 1
}

/** Puts the job back into the queue; the attempt does not count. */
export async function releaseJob(queries: Queries, guid: string, owner: string): Promise<void> {
  await queries.run(
    `update verification_jobs
    set state = ${QUEUED}, owner = null, stage = '', attempts = attempts - 1
    where ${LEASED}`,
    [guid, owner],
  )
}

/** False when the lease was lost. */
export async function noteStage(
  queries: Queries,
  { guid, owner }: { guid: string; owner: string },
  { stage, atMs }: JobStage,
): Promise<boolean> {
  const changed = await queries.run(
    `update verification_jobs
    set stage = $3
    where ${LEASED}`,
    [guid, owner, stage],
  )
  if (changed !== 1) return false
  await addStage(queries, guid, { stage, atMs })
  return true
}

export async function addStage(queries: Queries, guid: string, { stage, atMs }: JobStage): Promise<void> {
  await queries.run(
    `insert into verification_stages (guid, number, stage, at_ms)
    select $1, coalesce(max(number), 0) + 1, $2, $3
    from verification_stages
    where guid = $1`,
    [guid, stage, atMs],
  )
}

export type JobEnd = { readonly state: 'succeeded' | 'failed'; readonly outcome: string; readonly endedMs: number }

/** False when the lease was lost; then nothing is written. */
export async function endJob(
  queries: Queries,
  { guid, owner }: { guid: string; owner: string },
  { state, outcome, endedMs }: JobEnd,
): Promise<boolean> {
  const changed = await queries.run(
    `update verification_jobs
    set state = ${codeOf(state)}, outcome = $3, ended_ms = $4, payload = '', owner = null
    where ${LEASED}`,
    [guid, owner, text.encode(outcome), endedMs],
  )
  return changed === 1
}

/** Deletes jobs that ended before this time. Index verification_jobs_ended. */
export async function pruneJobs(queries: Queries, endedBeforeMs: number): Promise<number> {
  await queries.run(
    `delete from verification_stages
    where guid in (select guid from verification_jobs where ended_ms < $1)`,
    [endedBeforeMs],
  )
  return queries.run(
    `delete from verification_jobs
    where ended_ms < $1`,
    [endedBeforeMs],
  )
}
