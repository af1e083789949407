import { describe, expect, test } from 'vitest'
import { createKeptAnswers } from './cached-answers.ts'

function counting() {
  let made = 0
  return { make: async () => ({ data: [++made] }), made: () => made }
}

describe('an answer', () => {
  test('is kept, frozen, from the second time on that it is made for the same parameters', async () => {
    const keep = createKeptAnswers(10)
    const { make, made } = counting()
    const ask = () => keep('x', { page: 1 }, 'v1', make)
    expect(Object.isFrozen(await ask())).toBe(false)
    const second = await ask()
    expect(Object.isFrozen(second)).toBe(true)
    expect(await ask()).toBe(second)
    expect(made()).toBe(2)
  })

  test('is made once for all who ask at the same time', async () => {
    const keep = createKeptAnswers(10)
    const { make, made } = counting()
    const [a, b] = await Promise.all([keep('x', { page: 1 }, 'v1', make), keep('x', { page: 1 }, 'v1', make)])
    expect(b).toBe(a)
    expect(made()).toBe(1)
  })

  test('is made again for other parameters, another endpoint or another state of the chain', async () => {
    const keep = createKeptAnswers(10)
    const { make } = counting()
    const ask = (name: string, page: number, version: string) => keep(name, { page }, version, make)
    const keptOf = async (name: string, page: number, version: string) => {
      await ask(name, page, version)
      return ask(name, page, version)
    }
    const first = await keptOf('x', 1, 'v1')
    for (const other of [await keptOf('x', 2, 'v1'), await keptOf('y', 1, 'v1')]) expect(other).not.toEqual(first)
    expect(await ask('x', 1, 'v1')).toBe(first)
    expect(await ask('x', 1, 'v2')).not.toEqual(first)
  })

  test('that is asked for again only after many others is not kept', async () => {
    const keep = createKeptAnswers(10)
    const { make, made } = counting()
    for (let round = 0; round < 3; round++) {
      for (let page = 0; page < 11; page++) await keep('x', { page }, 'v1', make)
    }
    expect(made()).toBe(33)
  })

  test('is forgotten when it failed', async () => {
    const keep = createKeptAnswers(10)
    const { make } = counting()
    await expect(keep('x', {}, 'v1', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await keep('x', {}, 'v1', make)).toEqual({ data: [1] })
  })

  test('of an old state that is still being made does not come back later', async () => {
    const keep = createKeptAnswers(10)
    const { promise, resolve } = Promise.withResolvers<{ data: string[] }>()
    const old = keep('x', {}, 'v1', () => promise)
    const renew = (word: string) => keep('x', {}, 'v2', async () => ({ data: [word] }))
    await renew('first')
    await renew('new')
    resolve({ data: ['old'] })
    expect(await old).toEqual({ data: ['old'] })
    expect(await renew('newer')).toEqual({ data: ['new'] })
  })
})
