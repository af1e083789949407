import { expect, test } from 'vitest'
import { createLifecycle } from './lifecycle.ts'

test('a lifecycle stops what it started, newest first', async () => {
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

test('a lifecycle hands out what a part started, and gives it back to the part to stop it', async () => {
  const stopped: number[] = []
  const lifecycle = createLifecycle()
  const started = await lifecycle.start({
    name: 'a',
    start: async () => ({ port: 80 }),
    stop: ({ port }) => stopped.push(port),
  })
  expect(started.port).toBe(80)
  await lifecycle.stop()
  expect(stopped).toEqual([80])
})

test('a lifecycle names the parts that fail or do not end in time, and stops the others', async () => {
  const stopped: string[] = []
  const lifecycle = createLifecycle({ budgetMs: 50 })
  await lifecycle.start({ name: 'first', start: () => {}, stop: () => void stopped.push('first') })
  await lifecycle.start({ name: 'hangs', start: () => {}, stop: () => new Promise(() => {}) })
  await lifecycle.start({ name: 'throws', start: () => {}, stop: () => Promise.reject(new Error('no')) })
  await lifecycle.start({ name: 'has no stop', start: () => {} })
  expect(await lifecycle.stop()).toEqual(['throws', 'hangs'])
  expect(stopped).toEqual(['first'])
})

test('a part that cannot start makes the lifecycle stop the parts before it', async () => {
  const stopped: string[] = []
  const lifecycle = createLifecycle()
  const stop = (name: string) => () => void stopped.push(name)
  await lifecycle.start({ name: 'a', start: () => {}, stop: stop('a') })
  const fails = { name: 'b', start: () => Promise.reject(new Error('taken')), stop: stop('b') }
  await expect(lifecycle.start(fails)).rejects.toThrow('taken')
  expect(stopped).toEqual(['a'])
})

test('a lifecycle that is stopped waits for the part that is starting, and stops it with the others', async () => {
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
