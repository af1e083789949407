// What one sender of verifications may take from the others, on both engines.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { claimJob } from '../../src/store/jobs/claim-job.ts'
import { endJob, queueFigures, renewLease } from '../../src/store/jobs/verification-jobs.ts'
import type { Submission } from '../../src/verification/input/submission.ts'
import { failedJob } from '../../src/verification/jobs/job-result.ts'
import { createJobRunner } from '../../src/verification/jobs/runner.ts'
import {
  createVerificationQueue,
  type QueueRefusal,
  type VerificationQueue,
} from '../../src/verification/jobs/verification-queue.ts'
import { databases } from '../support/databases.ts'
import { until } from '../support/until.ts'

const BUDGET_MS = 600_000
let sources = 0

/** Each is another source for another contract. */
function nextSource(): [Hex, Submission] {
  const number = ++sources
  return [
    `0x${number.toString(16).padStart(40, '0')}`,
    {
      language: 'solidity',
      input: {
        type: 'singleFile',
        source: `contract A${number} {}`,
        optimizer: true,
        runs: 200,
        evmVersion: null,
        viaIr: true,
      },
      contractName: 'A',
      compilerVersion: '0.8.30',
      libraries: [],
    },
  ]
}

describe.each(databases)('senders of verifications on $engine', ({ place }) => {
  let database: Database
  let queue: VerificationQueue
  const refusals: QueueRefusal[] = []

  beforeAll(async () => {
    database = await openDatabase({ ...(await place()), onIdleError: () => {} })
    await migrate(database, 0)
  })
  beforeEach(async () => {
    await database.run('delete from verification_jobs')
    const codeAt = async () => ({ code: new Uint8Array([1]), codeHash: `0x${'cd'.repeat(32)}` as Hex })
    refusals.length = 0
    queue = createVerificationQueue({
      database,
      reader: { codeAt },
      compileBudgetMs: BUDGET_MS,
      onAdded: () => {},
      onRefused: (why) => refusals.push(why),
    })
  })
  afterAll(() => database?.close())

  const submit = (sender: string) => queue.submitSource(...nextSource(), sender)
  const claim = (runningOfSender = 100) => {
    const nowMs = Date.now()
    return claimJob(database, {
      owner: 'a runner',
      leaseUntilMs: nowMs + 60_000,
      nowMs,
      runningOfSender,
      spentSinceMs: nowMs - 3_600_000,
    })
  }
  const end = (guid: string, compileMs: number) =>
    endJob(database, { guid, owner: 'a runner', compileMs }, { state: 'failed', outcome: '{}', endedMs: Date.now() })

  test('ninety jobs of five senders do not stand before the first job of another sender', async () => {
    for (let i = 0; i < 90; i++) await submit(`sender ${i % 5}`)
    const honest = await submit('honest')
    const claimed = []
    for (let i = 0; i < 6; i++) claimed.push(await claim(1))
    expect(claimed.map((job) => job!.sender).sort()).toEqual([
      'honest',
      'sender 0',
      'sender 1',
      'sender 2',
      'sender 3',
      'sender 4',
    ])
    expect(claimed.map((job) => job!.guid)).toContain(honest)
    // Every sender has its share, so nothing runs until one of its jobs has ended.
    expect(await claim(1)).toBeUndefined()
  })

  test('a job whose process ended before the clock was set back by an hour is not held for an hour', async () => {
    await submit('honest')
    const job = (await claim())!
    expect(await claim()).toBeUndefined()
    await renewLease(database, { guid: job.guid, owner: 'a runner', compileMs: 0 }, Date.now() + 3_600_000)
    expect((await claim())?.guid).toBe(job.guid)
  })

  test('a sender that has used compilers lately comes after one that has not, although its job is older', async () => {
    await submit('busy')
    await submit('busy')
    const first = (await claim())!
    await end(first.guid, 30_000)
    const honest = await submit('honest')
    expect((await claim())?.guid).toBe(honest)
  })

  test('a sender with twenty open jobs is refused with a time to wait, and others are not', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 23 }, () => submit('greedy')))
    const refused = asked.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(3)
    expect(refused[0]!.reason).toMatchObject({
      key: 'tooManyRequests',
      message: expect.stringContaining('20 verifications'),
      retryAfterS: expect.any(Number),
    })
    expect(refusals).toEqual(['sender', 'sender', 'sender'])
    await expect(submit('honest')).resolves.toMatch(/^[0-9a-f]{32}$/)
  })

  test('a sender whose compile time of the hour is used up is refused, also by a job that was cut off', async () => {
    await submit('greedy')
    const job = (await claim())!
    // The process that ran it ended: only what it stored with its lease is known.
    await renewLease(database, { guid: job.guid, owner: 'a runner', compileMs: BUDGET_MS }, Date.now() - 1)
    await expect(submit('greedy')).rejects.toMatchObject({
      key: 'tooManyRequests',
      message: expect.stringContaining('600 s to compile in the last hour'),
    })
    expect(refusals).toEqual(['compile_time'])
    await expect(submit('honest')).resolves.toMatch(/^[0-9a-f]{32}$/)
    await database.run('update verification_jobs set state = 3, ended_ms = $1', [Date.now() - 3_700_000])
    await expect(submit('greedy')).resolves.toMatch(/^[0-9a-f]{32}$/)
  })

  test('the position of a job in the queue is the order in which jobs are run', async () => {
    // Jobs of one millisecond have no order.
    const submitLater = async (sender: string) => {
      const guid = await submit(sender)
      const nowMs = Date.now()
      while (Date.now() === nowMs) await pause(1)
      return guid
    }
    const guids = [await submitLater('greedy'), await submitLater('greedy'), await submitLater('greedy')]
    const honest = await submit('honest')
    const positions = async () => {
      const jobs = await Promise.all([...guids, honest].map((guid) => queue.job(guid)))
      return jobs.map((job) => job!.queue)
    }
    expect(await positions()).toEqual([
      { position: 1, length: 4 },
      { position: 3, length: 4 },
      { position: 4, length: 4 },
      { position: 2, length: 4 },
    ])
    expect((await claim())!.guid).toBe(guids[0])
    expect(await positions()).toEqual([
      null,
      { position: 2, length: 3 },
      { position: 3, length: 3 },
      { position: 1, length: 3 },
    ])
    await end(guids[0]!, 30_000)
    expect((await queue.job(guids[0]!))!.queue).toBeNull()
  })

  test('the figures of the queue are those of what waits and of the sender with most', async () => {
    expect(await queueFigures(database)).toEqual({ queued: 0, running: 0, oldestMs: null, mostOfSender: 0 })
    await submit('honest')
    await claim()
    const before = Date.now()
    for (const sender of ['greedy', 'greedy', '', '', '']) await submit(sender)
    const { oldestMs, ...counts } = await queueFigures(database)
    expect(counts).toEqual({ queued: 5, running: 1, mostOfSender: 2 })
    expect(oldestMs).toBeGreaterThanOrEqual(before)
  })

  test('jobs that wait for a compiler to be fetched leave their place to others', async () => {
    const stop = new AbortController()
    const fetched = Promise.withResolvers<void>()
    const started: string[] = []
    const ended: string[] = []
    const runner = createJobRunner({
      database,
      concurrency: 2,
      runningOfSender: 100,
      compileBudgetMs: 0,
      log: createLog({ level: 'silent', pretty: false }),
      work: async ({ sender }, { whileFetching }) => {
        started.push(sender)
        if (sender.startsWith('fetching')) await whileFetching(() => fetched.promise)
        return { result: failedJob('no_match', '') }
      },
      onEnded: (outcome) => ended.push(outcome),
    })
    const running = runner.run(stop.signal)
    for (let i = 0; i < 6; i++) await submit(`fetching ${i}`)
    await until(
      async () => started.length,
      (count) => count === 6,
    )
    const guid = await submit('honest')
    await until(
      async () => (await queue.job(guid))?.state,
      (state) => state === 'failed',
    )
    expect(ended).toEqual(['no_match'])
    fetched.resolve()
    await until(
      async () => ended.length,
      (count) => count === 7,
    )
    stop.abort()
    await running
  })
})
