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
  /** The key or the address that submitted it; empty for this program itself. */
  readonly sender: string
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
  /** How long it had a compile slot, in all attempts together. */
  readonly compileMs: number
}

export type JobStage = { readonly stage: string; readonly atMs: number }

/** The name of the holder of a lease, and the time when the lease runs out. */
export type Lease = { readonly owner: string; readonly leaseUntilMs: number }

export const jobs = createTable<JobRow>('verification_jobs', {
  guid: text,
  kind: oneOf(JOB_KINDS),
  address: bytes,
  payloadHash: bytes,
  sender: text,
  payload: text,
  state: oneOf(JOB_STATES),
  stage: text,
  attempts: integer,
  owner: nullable(text),
  leaseUntilMs: integer,
  createdMs: integer,
  endedMs: nullable(integer),
  outcome: nullable(text),
  compileMs: integer,
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
export const QUEUED = codeOf('queued')
export const RUNNING = codeOf('running')

/** A job has about ten stages for each attempt. */
const MAX_STAGES = 200

export type QueueLimits = {
  /** Of all senders together. */
  readonly open: number
  readonly openOfSender: number
}

export type AddedJob =
  | { readonly type: 'added'; readonly guid: string }
  | { readonly type: 'full'; readonly of: 'queue' | 'sender'; readonly open: number }

/** Adds the job, or finds the open job with the same payload. Where too many jobs are open it adds nothing. */
export async function addJob(database: Database, job: JobRow, limits: QueueLimits): Promise<AddedJob> {
  return database.transaction(async (queries) => {
    // Submissions of one moment are counted one after the other, so that together they do not pass the limit.
    if (database.engine === 'postgres') await queries.all('select pg_advisory_xact_lock($1)', [LOCK])
    // Index verification_jobs_in_flight.
    const [same] = await queries.all<{ guid: string }>(
      `select guid
      from verification_jobs
      where payload_hash = $1 and state < 2`,
      [bytes.encode(job.payloadHash)],
    )
    if (same) return { type: 'added', guid: same.guid }
    const { all, ofSender } = await countOpenJobs(queries, job.sender)
    if (all >= limits.open) return { type: 'full', of: 'queue', open: all }
    if (job.sender !== '' && ofSender >= limits.openOfSender) return { type: 'full', of: 'sender', open: ofSender }
    await queries.insert(jobs, [jobs.encode(job)])
    return { type: 'added', guid: job.guid }
  })
}

/** An arbitrary number; it must never change, because processes of different versions share the lock. */
export const LOCK = 7_125_004

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
async function countOpenJobs(queries: Queries, sender: string): Promise<{ all: number; ofSender: number }> {
  const [row] = await queries.all<{ all: number; ofSender: number }>(
    `select count(*) as "all", coalesce(sum(case when sender = $1 then 1 else 0 end), 0) as "ofSender"
    from verification_jobs
    where state < 2`,
    [sender],
  )
  return row!
}

export type QueueFigures = {
  readonly queued: number
  readonly running: number
  /** When the oldest job that waits was submitted; null where none waits. */
  readonly oldestMs: number | null
  /** Open jobs of the sender that has most of them. */
  readonly mostOfSender: number
}

/** Index verification_jobs_open. */
export async function queueFigures(queries: Queries): Promise<QueueFigures> {
  const [row] = await queries.all<QueueFigures>(
    `with senders as (
      select
        sender,
        sum(case when state = ${QUEUED} then 1 else 0 end) as queued,
        sum(case when state = ${RUNNING} then 1 else 0 end) as running,
        min(case when state = ${QUEUED} then created_ms end) as oldest_ms,
        sum(case when sender <> '' then 1 else 0 end) as open
      from verification_jobs
      where state < 2
      group by sender
    )
    select
      cast(coalesce(sum(queued), 0) as bigint) as queued,
      cast(coalesce(sum(running), 0) as bigint) as running,
      min(oldest_ms) as "oldestMs",
      cast(coalesce(max(open), 0) as bigint) as "mostOfSender"
    from senders`,
  )
  return row!
}

export type SpentTime = {
  readonly ms: number
  /** When the oldest of its jobs ended; null where none has. */
  readonly oldestMs: number | null
}

/** The compile time of a sender's jobs that are open or ended since this time. Index verification_jobs_sender. */
export async function compileTimeOf(queries: Queries, sender: string, sinceMs: number): Promise<SpentTime> {
  const [row] = await queries.all<SpentTime>(
    `select cast(coalesce(sum(compile_ms), 0) as bigint) as ms, min(ended_ms) as "oldestMs"
    from verification_jobs
    where sender = $1 and compile_ms > 0 and (ended_ms is null or ended_ms >= $2)`,
    [sender, sinceMs],
  )
  return row!
}

/** By the primary key. */
const LEASED = `guid = $1 and owner = $2 and state = ${RUNNING}`

/** A job under lease, with the compile time that it has cost until now. */
export type HeldJob = { readonly guid: string; readonly owner: string; readonly compileMs: number }

/** False when the lease was lost. The compile time is stored with it, so that it counts if the process ends. */
export async function renewLease(
  queries: Queries,
  { guid, owner, compileMs }: HeldJob,
  leaseUntilMs: number,
): Promise<boolean> {
  const changed = await queries.run(
    `update verification_jobs
    set lease_until_ms = $3, compile_ms = $4
    where ${LEASED}`,
    [guid, owner, leaseUntilMs, compileMs],
  )
  return changed === 1
}

/** Puts the job back into the queue; the attempt does not count. */
export async function releaseJob(queries: Queries, { guid, owner, compileMs }: HeldJob): Promise<void> {
  await queries.run(
    `update verification_jobs
    set state = ${QUEUED}, owner = null, stage = '', attempts = attempts - 1, compile_ms = $3
    where ${LEASED}`,
    [guid, owner, compileMs],
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
  { guid, owner, compileMs }: HeldJob,
  { state, outcome, endedMs }: JobEnd,
): Promise<boolean> {
  const changed = await queries.run(
    `update verification_jobs
    set state = ${codeOf(state)}, outcome = $3, ended_ms = $4, compile_ms = $5, payload = '', owner = null
    where ${LEASED}`,
    [guid, owner, text.encode(outcome), endedMs, compileMs],
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
