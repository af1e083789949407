import { describe, expect, test } from 'vitest'
import { createLifecycle } from './lifecycle.ts'

describe('lifecycle', () => {
  test('stops what it started, newest first', async () => {
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

  test('names the parts that fail or do not end in time, and goes on with the others', async () => {
    const stopped: string[] = []
    const lifecycle = createLifecycle({ budgetMs: 50 })
    await lifecycle.start({ name: 'first', start: () => {}, stop: () => void stopped.push('first') })
    await lifecycle.start({ name: 'hangs', start: () => {}, stop: () => new Promise(() => {}) })
    await lifecycle.start({ name: 'throws', start: () => {}, stop: () => Promise.reject(new Error('no')) })
    expect(await lifecycle.stop()).toEqual(['throws', 'hangs'])
    expect(stopped).toEqual(['first'])
  })

  test('stops a part that cannot start, and the others', async () => {
    const stopped: string[] = []
    const lifecycle = createLifecycle()
    const stop = (name: string) => () => void stopped.push(name)
    await lifecycle.start({ name: 'a', start: () => {}, stop: stop('a') })
    const fails = { name: 'b', start: () => Promise.reject(new Error('taken')), stop: stop('b') }
    await expect(lifecycle.start(fails)).rejects.toThrow('taken')
    expect(stopped).toEqual(['b', 'a'])
  })

  test('waits for a part that is half way up, and stops it with the others', async () => {
    const seen: string[] = []
    const lifecycle = createLifecycle()
    const { promise: isUp, resolve: comeUp } = Promise.withResolvers<void>()
    await lifecycle.start({ name: 'a', start: () => {}, stop: () => void seen.push('stop a') })
    const starting = lifecycle.start({ name: 'b', start: () => isUp, stop: () => void seen.push('stop b') })
    const stopping = lifecycle.stop()
    seen.push('b is up')
    comeUp()
    await expect(starting).rejects.toThrow('stopping')
    expect(await stopping).toEqual([])
    expect(seen).toEqual(['b is up', 'stop b', 'stop a'])
    await expect(lifecycle.start({ name: 'c', start: () => {} })).rejects.toThrow('stopping')
  })
})
