import { describe, expect, test } from 'vitest'
import { createResponseCache, type ResponseCache } from './response-cache.ts'

/** Responses that say how often one was built. */
function counting() {
  let builds = 0
  return { make: async () => Buffer.from(`response ${++builds}`), builds: () => builds }
}

async function request(cache: ResponseCache, make: () => Promise<Buffer>, key: Partial<Record<string, string>> = {}) {
  const { endpoint = 'blockList', page = '1', chainVersion = 'v1' } = key
  return (await cache.bytesOf({ endpoint, params: { page }, chainVersion }, make)).toString()
}

describe('the response cache', () => {
  test('the response cache stores a response from the second time on that it is made', async () => {
    const cache = createResponseCache()
    const { make } = counting()
    expect(await request(cache, make)).toBe('response 1')
    expect(await request(cache, make)).toBe('response 2')
    expect(await request(cache, make)).toBe('response 2')
    expect(cache.figures()).toEqual({ hits: 1, misses: 2, entries: 1, bytes: 'response 2'.length })
  })

  test('the response cache does not store a response that turns out to be of this moment only', async () => {
    const cache = createResponseCache()
    const { make, builds } = counting()
    const key = { endpoint: 'transactionMulti', params: {}, chainVersion: 'v1' }
    for (let i = 0; i < 3; i++) await cache.bytesOf(key, make, () => false)
    expect({ builds: builds(), entries: cache.figures().entries }).toEqual({ builds: 3, entries: 0 })
  })

  test('the response cache makes a response once for all requests that come at the same time', async () => {
    const cache = createResponseCache()
    const { make, builds } = counting()
    await Promise.all([request(cache, make), request(cache, make), request(cache, make)])
    expect(builds()).toBe(1)
  })

  test('the response cache does not mix up endpoints, parameters and chain states', async () => {
    const cache = createResponseCache()
    const { make } = counting()
    const storedFor = async (key: Partial<Record<string, string>>) => {
      await request(cache, make, key)
      return request(cache, make, key)
    }
    const first = await storedFor({})
    expect(await storedFor({ page: '2' })).not.toBe(first)
    expect(await storedFor({ endpoint: 'tokenList' })).not.toBe(first)
    expect(await request(cache, make)).toBe(first)
    expect(await request(cache, make, { chainVersion: 'v2' })).not.toBe(first)
  })

  test('the response cache drops all responses of a chain state when a newer one is there', async () => {
    const cache = createResponseCache()
    const { make } = counting()
    for (let i = 0; i < 3; i++) await request(cache, make)
    await request(cache, make, { chainVersion: 'v2' })
    expect(cache.figures()).toMatchObject({ entries: 0, bytes: 0 })
  })

  test('the response cache does not store a response to an old chain state that is finished late', async () => {
    const cache = createResponseCache()
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    const old = request(cache, () => promise)
    const renew = (word: string) => request(cache, async () => Buffer.from(word), { chainVersion: 'v2' })
    await renew('first')
    await renew('second')
    resolve(Buffer.from('old'))
    expect(await old).toBe('old')
    expect(await renew('third')).toBe('second')
  })

  test('the response cache forgets a response that failed', async () => {
    const cache = createResponseCache()
    const { make } = counting()
    await expect(request(cache, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await request(cache, make)).toBe('response 1')
  })

  test('the response cache never holds more bytes than its bound', async () => {
    const cache = createResponseCache({ maxBytes: 1_000 })
    for (let page = 0; page < 20; page++) {
      for (let i = 0; i < 2; i++) await request(cache, async () => Buffer.alloc(300), { page: String(page) })
    }
    expect(cache.figures().bytes).toBeLessThanOrEqual(1_000)
    for (let i = 0; i < 2; i++) await request(cache, async () => Buffer.alloc(2_000), { page: 'large' })
    expect(cache.figures().bytes).toBeLessThanOrEqual(1_000)
  })

  test('the response cache does not store responses that are requested again only after many others', async () => {
    const cache = createResponseCache({ maxEntries: 10 })
    const { make, builds } = counting()
    for (let round = 0; round < 3; round++) {
      for (let page = 0; page < 11; page++) await request(cache, make, { page: String(page) })
    }
    expect(builds()).toBe(33)
  })
})
