import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/support/databases.ts'
import type { Database } from '../store/engine/database.ts'
import { createKeyUsageStore } from '../store/keys/key-usage.ts'
import { createKeyUsage, RETENTION_DAYS } from './key-usage.ts'

const DAY_MS = 86_400_000
const TODAY = 20_000

describe.each(databases)('the use of keys on $engine', ({ open }) => {
  let database: Database
  let nowMs: number
  beforeEach(async () => {
    database = await open()
    nowMs = TODAY * DAY_MS + 5_000
  })
  afterEach(() => database.close())
  const newUsage = (store = createKeyUsageStore(database)) => createKeyUsage({ store, nowMs: () => nowMs })

  test('the use of keys adds up over processes, by route and day', async () => {
    const [one, other] = [newUsage(), newUsage()]
    for (let i = 0; i < 5; i++) one.count('a', 'E5')
    one.count('a', 'E9')
    nowMs += 1
    for (let i = 0; i < 2; i++) other.count('a', 'E5')
    other.count('b', 'E5')
    await Promise.all([one.flush(), other.flush()])
    expect(await one.ofKey('a', 1)).toEqual([
      { keyId: 'a', day: TODAY, route: 'E5', requests: 7, lastMs: nowMs },
      { keyId: 'a', day: TODAY, route: 'E9', requests: 1, lastMs: nowMs - 1 },
    ])
    nowMs += DAY_MS
    other.count('a', 'E5')
    expect((await other.sums(['a', 'b', 'c'], 1)).get('a')).toEqual({ requests: 1, lastMs: nowMs })
    expect([...(await other.sums(['a', 'b', 'c'], 2))].map(([key, { requests }]) => [key, requests]).sort()).toEqual([
      ['a', 9],
      ['b', 1],
    ])
  })

  test('the use of keys costs no write until it is handed on', async () => {
    const usage = newUsage()
    for (let i = 0; i < 1_000; i++) usage.count('a', 'E5')
    expect(await createKeyUsageStore(database).ofKey('a', TODAY)).toEqual([])
    await usage.flush()
    expect(await createKeyUsageStore(database).ofKey('a', TODAY)).toMatchObject([{ requests: 1_000 }])
  })

  test('the use of keys loses nothing while the store does not take it', async () => {
    const store = createKeyUsageStore(database)
    let isDown = true
    const usage = newUsage({
      ...store,
      add: async (uses) => {
        if (isDown) throw new Error('down')
        return store.add(uses)
      },
    })
    usage.count('a', 'E5')
    await expect(usage.flush()).rejects.toThrow('down')
    usage.count('a', 'E5')
    isDown = false
    await usage.flush()
    await usage.flush()
    expect(await store.ofKey('a', TODAY)).toMatchObject([{ requests: 2 }])
  })

  test('the use of keys forgets what is too old', async () => {
    const usage = newUsage()
    usage.count('a', 'E5')
    await usage.flush()
    nowMs += (RETENTION_DAYS - 1) * DAY_MS
    expect(await usage.prune()).toBe(0)
    nowMs += DAY_MS
    expect(await usage.prune()).toBe(1)
  })
})
