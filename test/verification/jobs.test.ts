// The verification queue and its runners on both engines: no job is lost, run by two processes at the same time, or stuck.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { claimJob } from '../../src/store/jobs/claim-job.ts'
import { type VerifiedRow, verifiedAt, verifiedCode, writeVerified } from '../../src/store/jobs/verified-contracts.ts'
import { createJobRunner, type JobWork } from '../../src/verification/jobs/runner.ts'
import { createVerificationQueue, type VerificationQueue } from '../../src/verification/jobs/verification-queue.ts'
import { databases } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { addressOf, CODE_HASH, submission, VERIFIED } from '../support/verification/job-samples.ts'

const log = createLog({ level: 'silent', pretty: false })
const LEASE_MS = 400
const SHARES = { concurrency: 2, runningOfSender: 100, compileBudgetMs: 0 }
const LONG_LEASE_MS = 2_000
const TIMEOUT_MS = 50_000

describe.each(databases)('verification queue on $engine', ({ place }) => {
  let database: Database
  let second: Database
  let queue: VerificationQueue

  beforeAll(async () => {
    const where = await place()
    const { migrate } = await import('../../src/store/engine/migrate.ts')
    database = await openDatabase({ ...where, onIdleError: () => {} })
    await migrate(database, 0)
    // A second connection stands for another process. SQLite blocks the thread while it waits for a writer, so there it would block
    // forever.
    second = database.engine === 'sqlite' ? database : await openDatabase({ ...where, onIdleError: () => {} })
  })

  beforeEach(async () => {
    for (const table of ['verification_jobs', 'verification_stages', 'verified_contracts']) {
      await database.run(`delete from ${table}`)
    }
    const codeAt = async () => ({ code: new Uint8Array([1]), codeHash: CODE_HASH })
    queue = createVerificationQueue({ database, reader: { codeAt }, compileBudgetMs: 0, onAdded: () => {} })
  })

  afterAll(async () => {
    await database?.close()
    if (second !== database) await second?.close()
  })

  /** Runs a runner on each connection until the condition holds. */
  const runUntil = async (
    work: JobWork,
    isDone: () => Promise<boolean>,
    { on = [database, second], leaseMs = LEASE_MS } = {},
  ): Promise<void> => {
    const stop = new AbortController()
    const runners = on.map((each) =>
      createJobRunner({ database: each, work, ...SHARES, log, leaseMs }).run(stop.signal),
    )
    const deadlineMs = Date.now() + TIMEOUT_MS
    while (!(await isDone())) {
      if (Date.now() > deadlineMs) throw new Error('not done in time')
      await sleep(20)
    }
    stop.abort()
    await Promise.all(runners)
  }

  const stateOf = async (guid: string) => (await queue.job(guid))?.state

  test('the same submission has the same guid while its job is open, and a new guid after the job has ended', async () => {
    const first = await queue.submitSource(addressOf(1), submission('contract A {}'), '')
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(await queue.submitSource(addressOf(1), submission('contract A {}'), '')).toBe(first)
    expect(await queue.submitSource(addressOf(1), submission('contract A { }'), '')).not.toBe(first)
    expect(await queue.submitSource(addressOf(2), submission('contract A {}'), '')).not.toBe(first)
    const together = await Promise.all(
      Array.from({ length: 8 }, () => queue.submitSource(addressOf(3), submission('contract B {}'), '')),
    )
    expect(new Set(together).size).toBe(1)
    await runUntil(
      async () => ({ result: VERIFIED }),
      async () => (await stateOf(first)) === 'succeeded',
    )
    expect(await queue.submitSource(addressOf(1), submission('contract A {}'), '')).not.toBe(first)
  })

  test('two processes that share the queue run each job once, and one job an address at a time', async () => {
    const guids = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        queue.submitSource(addressOf(1 + (i % 6)), submission(`contract A${i} {}`), ''),
      ),
    )
    const begun: string[] = []
    const busy = new Set<Hex>()
    let clashes = 0
    await runUntil(
      async ({ guid, address }, { stage }) => {
        begun.push(guid)
        if (busy.has(address)) clashes++
        busy.add(address)
        stage('working')
        await sleep(15)
        busy.delete(address)
        return { result: VERIFIED }
      },
      async () => (await Promise.all(guids.map(stateOf))).every((state) => state === 'succeeded'),
      // The lease must not expire on a machine that stalls for a moment.
      { leaseMs: 20_000 },
    )
    expect([...begun].sort()).toEqual([...guids].sort())
    // On PostgreSQL two processes may claim at the same instant; then both run, and the better match stays.
    if (database.engine === 'sqlite') expect(clashes).toBe(0)
    expect((await queue.stages(guids[0]!)).map(({ stage }) => stage)).toEqual(['working', 'succeeded'])
  })

  test('the lease on a job is renewed for as long as its work takes', async () => {
    const guid = await queue.submitSource(addressOf(1), submission('contract Slow {}'), '')
    const leaseOf = async () => {
      const [lease] = await second.all<{ owner: string; untilMs: number }>(
        'select owner, lease_until_ms as "untilMs" from verification_jobs where guid = $1',
        [guid],
      )
      return lease!
    }
    let renewed = 0
    await runUntil(
      async ({ owner, leaseUntilMs }, { signal }) => {
        // If the machine stalls until the lease expires, the next holder of the job goes on counting.
        for (let lastMs = leaseUntilMs; renewed < 3 && !signal.aborted; await sleep(10)) {
          const lease = await leaseOf()
          if (lease.owner !== owner || lease.untilMs === lastMs) continue
          lastMs = lease.untilMs
          renewed++
        }
        return { result: VERIFIED }
      },
      async () => (await stateOf(guid)) === 'succeeded',
      { leaseMs: LONG_LEASE_MS },
    )
    expect(renewed).toBe(3)
  })

  test('a runner whose lease expired stops its job, also where the next holder is in the same process', async () => {
    const guid = await queue.submitSource(addressOf(1), submission('contract Sleeper {}'), '')
    const stop = new AbortController()
    const stopped = Promise.withResolvers<void>()
    const runner = createJobRunner({
      database,
      work: async ({ attempts }, { signal }) => {
        if (attempts > 1) await stopped.promise
        else {
          while (!signal.aborted) {
            await database.run('update verification_jobs set lease_until_ms = 0 where attempts = 1')
            runner.wake()
            await sleep(10)
          }
          stopped.resolve()
        }
        return { result: VERIFIED }
      },
      ...SHARES,
      log,
      leaseMs: LONG_LEASE_MS,
    })
    const running = runner.run(stop.signal)
    await until(
      () => stateOf(guid),
      (state) => state === 'succeeded',
    )
    stop.abort()
    await running
    expect((await queue.job(guid))?.attempts).toBeGreaterThan(1)
  })

  test('a job whose process died is claimed again, and fails as abandoned after five deaths', async () => {
    const guid = await queue.submitSource(addressOf(1), submission('contract Mortal {}'), '')
    for (let death = 0; death < 5; death++) {
      const held = await claimJob(database, {
        owner: `dead ${death}`,
        leaseUntilMs: death,
        nowMs: Date.now() + death,
        runningOfSender: 1,
        spentSinceMs: 0,
      })
      expect(held).toMatchObject({ guid, attempts: death + 1 })
    }
    let runs = 0
    await runUntil(
      async () => {
        runs++
        return { result: VERIFIED }
      },
      async () => (await queue.job(guid))?.outcome !== null,
    )
    expect(runs).toBe(0)
    expect(await queue.job(guid)).toMatchObject({ state: 'failed', outcome: { code: 'job_abandoned' } })
  })

  test('a process that stops gives its unfinished job back to the queue', async () => {
    const guid = await queue.submitSource(addressOf(1), submission('contract Waiting {}'), '')
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const running = createJobRunner({
      database,
      work: async (_job, { signal }) => {
        begun.resolve()
        await sleep(60_000, undefined, { signal })
        return { result: VERIFIED }
      },
      ...SHARES,
      concurrency: 1,
      log,
    }).run(stop.signal)
    await begun.promise
    stop.abort()
    await running
    expect(await queue.job(guid)).toMatchObject({ state: 'queued', attempts: 0 })
  })

  test('a job whose work throws ends as internal_error with its guid in the message', async () => {
    const guid = await queue.submitSource(addressOf(1), submission('contract Broken {}'), '')
    await runUntil(
      async () => {
        throw new Error('a bug')
      },
      async () => (await stateOf(guid)) === 'failed',
    )
    expect((await queue.job(guid))?.outcome).toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining(guid),
    })
  })

  test('a process that lost the lease writes neither the result nor the contract', async () => {
    const guid = await queue.submitSource(addressOf(1), submission('contract Stolen {}'), '')
    await runUntil(
      async (_job, { signal }) => {
        await second.run("update verification_jobs set owner = 'thief', lease_until_ms = $1", [Date.now() + 60_000])
        while (!signal.aborted) await sleep(10)
        return { result: VERIFIED, write: (queries) => writeVerified(queries, row('exact')) }
      },
      async () => (await database.all("select 1 as one from verification_jobs where owner = 'thief'")).length === 1,
      { on: [database] },
    )
    expect(await queue.job(guid)).toMatchObject({ state: 'running', outcome: null })
    expect(await verifiedAt(database, addressOf(1))).toBeUndefined()
  })

  const row = (rank: VerifiedRow['rank'], changes: Partial<VerifiedRow> = {}): VerifiedRow => ({
    address: addressOf(1),
    codeHash: CODE_HASH,
    rank,
    name: 'A',
    language: 'solidity',
    compiler: '0.8.30+commit.73712a01',
    verifiedMs: 1,
    guid: 'a'.repeat(32),
    detail: '{}',
    ...changes,
  })

  test('a stored match is replaced by a better match or one for other code, and not by a worse one', async () => {
    const write = (...args: Parameters<typeof row>) =>
      database.transaction((queries) => writeVerified(queries, row(...args)))
    await write('partial', { name: 'first' })
    await write('partial', { name: 'second' })
    expect(await verifiedAt(database, addressOf(1))).toMatchObject({ rank: 'partial', name: 'first' })
    await write('exact', { name: 'third' })
    await write('partial', { name: 'fourth' })
    expect(await verifiedAt(database, addressOf(1))).toMatchObject({ rank: 'exact', name: 'third' })
    await write('partial', { name: 'other code', codeHash: `0x${'ee'.repeat(32)}` })
    expect(await verifiedAt(database, addressOf(1))).toMatchObject({ rank: 'partial', name: 'other code' })
    await write('partial', { address: addressOf(7), name: 'twin' })
    expect(await verifiedCode(database, CODE_HASH)).toMatchObject({ address: addressOf(7) })
  })

  test('a submission for a contract that is verified exactly succeeds without a run', async () => {
    await database.transaction((queries) => writeVerified(queries, row('exact')))
    const guid = await queue.submitSource(addressOf(1), submission('contract A {}'), '')
    expect(await queue.job(guid)).toMatchObject({ state: 'succeeded', outcome: { type: 'verified', match: 'exact' } })
  })

  test('a full queue refuses a submission with queueFull and keeps its jobs', async () => {
    const guid = await queue.submitSource(addressOf(1), submission('contract First {}'), '')
    for (let i = 1; i < 200; i++) await queue.submitSource(addressOf(i), submission(`contract A${i} {}`), '')
    await expect(queue.submitSource(addressOf(1), submission('contract Last {}'), '')).rejects.toMatchObject({
      key: 'queueFull',
      message: expect.stringContaining('200'),
    })
    expect(await stateOf(guid)).toBe('queued')
  })
})
