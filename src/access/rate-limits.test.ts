import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { databases } from '../../test/support/databases.ts'
import { createRateBucketStore } from '../store/keys/rate-buckets.ts'
import { createLocalLimiter, createSharedLimiter } from './rate-limits.ts'

const folder = mkdtempSync(join(tmpdir(), 'firstlight-limits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the limiter of one process', () => {
  test('the limiter of one process lets the burst pass, then one per interval, and says when to come back', async () => {
    let now = 1_000
    const limiter = createLocalLimiter({ perSecond: 2, burst: 3 }, () => now)
    const take = async () => (await limiter.take('a')).allowed
    expect([await take(), await take(), await take(), await take()]).toEqual([true, true, true, false])
    expect(await limiter.take('a')).toEqual({ allowed: false, limit: 3, remaining: 0, resetS: 2, retryAfterS: 1 })
    expect((await limiter.take('b')).allowed).toBe(true)
    now += 500
    expect([await take(), await take()]).toEqual([true, false])
  })

  test('the limiter of one process lets a request pass that costs more than is there, and the next ones wait until that is paid', async () => {
    let now = 0
    const limiter = createLocalLimiter({ perSecond: 2, burst: 4 }, () => now)
    const allowed = async (tokens?: number) => (await limiter.take('a', tokens)).allowed
    expect([await allowed(), await allowed(4), await allowed()]).toEqual([true, true, false])
    expect((await limiter.take('a')).remaining).toBe(0)
    now += 500
    expect(await allowed()).toBe(false)
    now += 500
    expect(await allowed(1_000_000)).toBe(true)
    now += 2_500
    expect(await allowed()).toBe(true)
  })

  test('the limiter of one process gains nothing from a clock that runs backwards', async () => {
    let now = 10_000
    const limiter = createLocalLimiter({ perSecond: 1, burst: 1 }, () => now)
    expect((await limiter.take('a')).allowed).toBe(true)
    now = 0
    expect((await limiter.take('a')).allowed).toBe(false)
    now = 10_500
    expect((await limiter.take('a')).allowed).toBe(false)
  })
})

describe.each(databases)('limiters that share a database on $engine', ({ open }) => {
  test('limiters that share a database go on after the clock was set back by an hour', async () => {
    const database = await open()
    try {
      let now = 10_000_000
      const store = createRateBucketStore(database)
      const limiter = createSharedLimiter({ scope: 'ip', rule: { perSecond: 1, burst: 1 }, store, nowMs: () => now })
      expect((await limiter.take('a')).allowed).toBe(true)
      now -= 3_600_000
      expect((await limiter.take('a')).allowed).toBe(false)
      now += 1_000
      expect((await limiter.take('a')).allowed).toBe(true)
    } finally {
      await database.close()
    }
  })

  test('limiters that share a database never let more pass together than the rule allows', async () => {
    const database = await open()
    try {
      const now = 5_000
      const processes = Array.from({ length: 4 }, () =>
        createSharedLimiter({
          scope: 'key',
          rule: { perSecond: 10, burst: 100 },
          store: createRateBucketStore(database),
          nowMs: () => now,
        }),
      )
      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, index) => processes[index % processes.length]!.take('a')),
      )
      const allowed = answers.filter((answer) => answer.allowed).length
      // A process may hold the rest of its lot when the others find the bucket empty.
      expect(allowed).toBeLessThanOrEqual(100)
      expect(allowed).toBeGreaterThan(60)
    } finally {
      await database.close()
    }
  })
})
