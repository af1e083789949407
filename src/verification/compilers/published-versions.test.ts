import { expect, test } from 'vitest'
import { createVersionList } from './published-versions.ts'

const signal = new AbortController().signal

test('a version that is not published is refused with one question to the registry, however many are asked for', async () => {
  let asked = 0
  const list = createVersionList(async () => {
    asked++
    return { type: 'listed', versions: ['0.8.29', '0.8.30'] }
  })
  const found = await Promise.all(['0.99.1', '0.99.2', '0.8.30'].map((each) => list.has(each, signal)))
  expect(found).toEqual([false, false, true])
  expect(await list.has('0.99.3', signal)).toBe(false)
  expect(asked).toBe(1)
})

test('a registry that does not answer is the reason and not the absence of a version, and is not asked again at once', async () => {
  let asked = 0
  const list = createVersionList(async () => {
    asked++
    return { type: 'failed', reason: 'no network' }
  })
  const unknown = { unknown: 'no network' }
  expect([await list.has('0.8.1', signal), await list.has('0.8.2', signal)]).toEqual([unknown, unknown])
  expect(asked).toBe(1)
})
