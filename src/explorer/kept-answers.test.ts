import { describe, expect, test } from 'vitest'
import { createKeptAnswers } from './kept-answers.ts'

const counting = () => {
  let made = 0
  return { make: async () => ({ data: [++made] }), made: () => made }
}

describe('a kept answer', () => {
  test('is made once for the same parameters, frozen, also when asked for at the same time', async () => {
    const keep = createKeptAnswers(10)
    const { make, made } = counting()
    const [a, b] = await Promise.all([keep('x', { page: 1 }, 'v1', make), keep('x', { page: 1 }, 'v1', make)])
    expect(await keep('x', { page: 1 }, 'v1', make)).toBe(a)
    expect(b).toBe(a)
    expect(Object.isFrozen(a)).toBe(true)
    expect(made()).toBe(1)
  })

  test('is made again for other parameters, another endpoint or another state of the chain', async () => {
    const keep = createKeptAnswers(10)
    const { make, made } = counting()
    await keep('x', { page: 1 }, 'v1', make)
    await keep('x', { page: 2 }, 'v1', make)
    await keep('y', { page: 1 }, 'v1', make)
    await keep('x', { page: 1 }, 'v2', make)
    expect(made()).toBe(4)
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
    await keep('x', {}, 'v2', async () => ({ data: ['new'] }))
    resolve({ data: ['old'] })
    expect(await old).toEqual({ data: ['old'] })
    expect(await keep('x', {}, 'v2', async () => ({ data: ['newer'] }))).toEqual({ data: ['new'] })
  })
})
