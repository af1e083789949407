import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/support/databases.ts'
import { incrementChainVersion, setChainNote } from '../chain/chain-notes.ts'
import type { Database } from '../engine/database.ts'
import { addHighlighted, highlightedShape } from '../jobs/highlighted-files.ts'
import { addSelectors, selectorMeanings } from '../jobs/selectors.ts'
import { createEndedSessionStore } from './ended-sessions.ts'
import { createKeyUsageStore } from './key-usage.ts'
import { createKeyStore } from './keys.ts'
import { createRateBucketStore } from './rate-buckets.ts'

describe.each(databases)('small stores on $engine', ({ open }) => {
  let database: Database
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())

  test('keys are listed oldest first, and by id where they are of the same moment', async () => {
    const keys = createKeyStore(database)
    const row = { name: 'n', secretBox: Uint8Array.of(1), passphraseHash: Uint8Array.of(2), revokedMs: null }
    await keys.add({ ...row, id: 'b', createdMs: 20 })
    await keys.add({ ...row, id: 'c', createdMs: 10 })
    await keys.add({ ...row, id: 'a', createdMs: 20 })
    expect((await keys.list()).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
    expect(await keys.find('none')).toBeUndefined()
    await expect(keys.add({ ...row, id: 'a', createdMs: 30 })).rejects.toThrow()
  })

  test('small stores uses of a key add up by day and route, and the last use is the latest, whichever came first', async () => {
    const usage = createKeyUsageStore(database)
    const use = { keyId: 'k', day: 5, route: '/a', requests: 2, lastMs: 900 }
    await usage.add([use, { ...use, route: '/b', requests: 7, lastMs: 100 }])
    await usage.add([{ ...use, requests: 3, lastMs: 300 }])
    await usage.add([{ ...use, day: 6, requests: 1, lastMs: 1_000 }])
    expect(await usage.ofKey('k', 5)).toEqual([
      { ...use, day: 6, requests: 1, lastMs: 1_000 },
      { ...use, route: '/b', requests: 7, lastMs: 100 },
      { ...use, requests: 5, lastMs: 900 },
    ])
    expect(await usage.sums(['k', 'unused'], 5)).toEqual([{ keyId: 'k', requests: 13, lastMs: 1_000 }])
    expect(await usage.sums(['k'], 6)).toEqual([{ keyId: 'k', requests: 1, lastMs: 1_000 }])
    expect(await usage.sums([], 0)).toEqual([])
    expect(await usage.prune(6)).toBe(2)
    expect(await usage.ofKey('k', 0)).toHaveLength(1)
  })

  test('a session that was signed out is known as ended, once and until it would have ended by itself', async () => {
    const sessions = createEndedSessionStore(database)
    const [mine, other] = [Uint8Array.of(1, 2), Uint8Array.of(1, 3)]
    await sessions.end(mine, 5_000)
    await sessions.end(mine, 5_000)
    expect([await sessions.isEnded(mine), await sessions.isEnded(other)]).toEqual([true, false])
    expect([await sessions.prune(5_000), await sessions.prune(5_001)]).toEqual([0, 1])
  })

  test('a shared bucket starts full, grants what it has, and refills with time up to its burst', async () => {
    const buckets = createRateBucketStore(database)
    const rule = { perSecond: 2, burst: 10 }
    expect(await buckets.take('t', rule, 7, 1_000)).toEqual({ granted: 7, left: 3 })
    expect(await buckets.take('t', rule, 7, 1_000)).toEqual({ granted: 3, left: 0 })
    expect(await buckets.take('t', rule, 7, 1_250)).toEqual({ granted: 0, left: 0.5 })
    expect(await buckets.take('t', rule, 7, 2_000)).toEqual({ granted: 2, left: 0 })
    expect(await buckets.take('t', rule, 99, 60_000)).toEqual({ granted: 10, left: 0 })
  })

  test('takers at the same time never get more than the bucket has', async () => {
    const buckets = createRateBucketStore(database)
    const rule = { perSecond: 1, burst: 5 }
    const taken = await Promise.all(Array.from({ length: 8 }, () => buckets.take('race', rule, 1, 1_000)))
    const granted = taken.reduce((sum, each) => sum + each.granted, 0)
    expect(granted).toBeLessThanOrEqual(5)
    const rest = await buckets.take('race', rule, 99, 1_000)
    expect(granted + rest.granted).toBe(5)
  })

  test('a bucket that nobody used is forgotten, and is full the next time', async () => {
    const buckets = createRateBucketStore(database)
    const rule = { perSecond: 0.001, burst: 3 }
    await buckets.take('idle', rule, 3, 5_000)
    await buckets.prune(5_000)
    expect((await buckets.take('idle', rule, 1, 5_000)).granted).toBe(0)
    expect(await buckets.prune(100_000)).toBeGreaterThan(0)
    expect((await buckets.take('idle', rule, 1, 5_000)).granted).toBe(1)
  })

  test('a selector has its meanings in order, each once, and functions are no events', async () => {
    const transfer = { kind: 'function', selector: '0xa9059cbb', text: 'function transfer(address,uint256)' } as const
    const clash = { ...transfer, text: 'function many_msg_babbage(bytes1)' }
    await addSelectors(database, [transfer, clash, { ...transfer, kind: 'error', text: 'error E()' }])
    await addSelectors(database, [transfer])
    expect(await selectorMeanings(database, 'function', '0xa9059cbb')).toEqual([clash.text, transfer.text])
    expect(await selectorMeanings(database, 'error', '0xa9059cbb')).toEqual(['error E()'])
    expect(await selectorMeanings(database, 'event', '0xa9059cbb')).toEqual([])
  })

  test('a selector has at most twenty meanings in an answer', async () => {
    const rows = Array.from({ length: 25 }, (_, i) => ({
      kind: 'function' as const,
      selector: '0x00000001' as const,
      text: `function f${String(i).padStart(2, '0')}()`,
    }))
    await addSelectors(database, rows)
    const meanings = await selectorMeanings(database, 'function', '0x00000001')
    expect([meanings.length, meanings[0], meanings[19]]).toEqual([20, 'function f00()', 'function f19()'])
  })

  test('the first highlighting of a text stays, and languages are apart', async () => {
    const file = { contentHash: `0x${'ab'.repeat(32)}`, language: 'solidity', shape: '[1]' } as const
    await addHighlighted(database, [file])
    await addHighlighted(database, [{ ...file, shape: '[2]' }])
    expect(await highlightedShape(database, file)).toBe('[1]')
    expect(await highlightedShape(database, { ...file, language: 'vyper' })).toBeUndefined()
  })

  test('the version of the chain counts up by one from nothing', async () => {
    const version = async () => (await database.all("select value from chain_notes where name = 'version'"))[0]?.value
    const before = Number((await version()) ?? 0)
    await incrementChainVersion(database)
    await incrementChainVersion(database)
    expect(await version()).toBe(String(before + 2))
    await setChainNote(database, 'version', '9007199254740993')
    await incrementChainVersion(database)
    expect(await version()).toBe('9007199254740994')
  })
})
