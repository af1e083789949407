import { describe, expect, it } from 'vitest'
import { createLifecycle } from './lifecycle.ts'

describe('lifecycle', () => {
  it('stops what it started, newest first', async () => {
    const seen: string[] = []
    const lifecycle = createLifecycle()
    for (const name of ['a', 'b', 'c']) {
      await lifecycle.start({
        name,
        start: () => void seen.push(`start ${name}`),
        stop: () => void seen.push(`stop ${name}`),
      })
    }
    expect(await lifecycle.stop()).toEqual([])
    expect(seen).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a'])
    expect(lifecycle.signal.aborted).toBe(true)
  })

  it('names the parts that fail or do not end in time, and goes on with the others', async () => {
    const stopped: string[] = []
    const lifecycle = createLifecycle({ budgetMs: 50 })
    await lifecycle.start({ name: 'first', start: () => {}, stop: () => void stopped.push('first') })
    await lifecycle.start({ name: 'hangs', start: () => {}, stop: () => new Promise(() => {}) })
    await lifecycle.start({ name: 'throws', start: () => {}, stop: () => Promise.reject(new Error('no')) })
    expect(await lifecycle.stop()).toEqual(['throws', 'hangs'])
    expect(stopped).toEqual(['first'])
  })

  it('stops the others when a part cannot start', async () => {
    const stopped: string[] = []
    const lifecycle = createLifecycle()
    await lifecycle.start({ name: 'a', start: () => {}, stop: () => void stopped.push('a') })
    await expect(lifecycle.start({ name: 'b', start: () => Promise.reject(new Error('taken')) })).rejects.toThrow(
      'taken',
    )
    expect(stopped).toEqual(['a'])
  })
})
