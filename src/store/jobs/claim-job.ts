// Which job of the verification queue is run next: fair between senders, so that a sender with many jobs does not stand before others.
// Positions in the queue follow the same order.
import type { Database, Queries } from '../engine/database.ts'
import { type JobRow, jobs, type Lease, LOCK, QUEUED, RUNNING } from './verification-jobs.ts'

export type Claim = Lease & {
  readonly nowMs: number
  /** How many jobs of one sender run at the same time, in all processes together. */
  readonly runningOfSender: number
  /** Compile time that was spent before this time does not count any more. */
  readonly spentSinceMs: number
}

/** A lease that ends later than this was taken before the clock was set back: it holds nothing, or a dead process would hold its job for hours. */
const LONGEST_LEASE_MS = 600_000

/** Whether the lease of a job holds at `$1`. */
function isHeld(alias: string): string {
  return `${alias}.lease_until_ms >= $1 and ${alias}.lease_until_ms - ${LONGEST_LEASE_MS} <= $1`
}

/** Not for an address that another job runs for, nor for a sender that has its share of running jobs. */
const CLAIMABLE = `
  j.state < 2
  and (j.state = ${QUEUED} or not (${isHeld('j')}))
  and not exists (
    select 1
    from verification_jobs r
    where r.address = j.address and r.state = ${RUNNING} and ${isHeld('r')}
  )
  and (
    select count(*)
    from verification_jobs r
    where r.sender = j.sender and r.state = ${RUNNING} and ${isHeld('r')}
  ) < $2`

/** The turn of each open job among those of its sender, and the compile time of each sender since a time. */
function turnsAndSpent(sinceMs: '$2' | '$3'): string {
  return `open_jobs as (
        select guid, sender, row_number() over (partition by sender order by state desc, created_ms, guid) as turn
        from verification_jobs
        where state < 2
      ), spent as (
        select sender, sum(compile_ms) as ms
        from verification_jobs
        where ended_ms >= ${sinceMs} or state < 2
        group by sender
      )`
}

const FAIR_ORDER = 'o.turn, s.ms, j.created_ms, j.guid'

/**
 * Takes a lease on a job that is queued or whose lease ran out. The first jobs of all senders come before all second ones; among them
 * those of the sender that had least compile time lately, then the oldest. Indexes verification_jobs_open, _running and _ended.
 */
export async function claimJob(database: Database, claim: Claim): Promise<JobRow | undefined> {
  const { owner, leaseUntilMs, nowMs, runningOfSender, spentSinceMs } = claim
  // A read costs little, while a transaction makes the other writers of SQLite wait.
  const claimable = await database.all(
    `select 1 as one
    from verification_jobs j
    where ${CLAIMABLE}
    limit 1`,
    [nowMs, runningOfSender],
  )
  if (claimable.length === 0) return undefined
  return database.transaction(async (queries) => {
    // What another process claims at the same moment must count.
    if (database.engine === 'postgres') await queries.all('select pg_advisory_xact_lock($1)', [LOCK])
    const [found] = await queries.all(
      `with ${turnsAndSpent('$3')}
      select ${jobs.select(undefined, 'j')}
      from verification_jobs j
      join open_jobs o on o.guid = j.guid
      join spent s on s.sender = j.sender
      where ${CLAIMABLE}
      order by ${FAIR_ORDER}
      limit 1`,
      [nowMs, runningOfSender, spentSinceMs],
    )
    if (!found) return undefined
    const job = jobs.decode(found)
    // Its earlier owner may end it, or renew its lease, in the same moment.
    const changed = await queries.run(
      `update verification_jobs
      set state = ${RUNNING}, owner = $2, lease_until_ms = $3, attempts = attempts + 1
      where guid = $1 and state < 2 and lease_until_ms = $4`,
      [job.guid, owner, leaseUntilMs, job.leaseUntilMs],
    )
    if (changed === 0) return undefined
    return { ...job, state: 'running', owner, leaseUntilMs, attempts: job.attempts + 1 }
  })
}

export type QueuePosition = {
  /** 1 for the job that is run next. */
  readonly position: number
  /** Jobs that wait. */
  readonly length: number
}

/**
 * Where a job stands among those that wait; undefined for one that does not wait. A job of a sender that used compilers less may still come
 * before it. Indexes verification_jobs_open and _ended.
 */
export async function queuePosition(
  queries: Queries,
  guid: string,
  spentSinceMs: number,
): Promise<QueuePosition | undefined> {
  const [found] = await queries.all<QueuePosition>(
    `with ${turnsAndSpent('$2')}, waiting as (
      select j.guid, row_number() over (order by ${FAIR_ORDER}) as position, count(*) over () as length
      from verification_jobs j
      join open_jobs o on o.guid = j.guid
      join spent s on s.sender = j.sender
      where j.state = ${QUEUED}
    )
    select position, length
    from waiting
    where guid = $1`,
    [guid, spentSinceMs],
  )
  return found
}
