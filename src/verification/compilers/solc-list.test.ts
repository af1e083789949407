import { expect, test } from 'vitest'
import { createSolcList } from './solc-list.ts'

const signal = new AbortController().signal

test('a version that is not published is refused with one question to the registry, however many are asked for', async () => {
  let asked = 0
  const list = createSolcList(async () => {
    asked++
    return { type: 'listed', versions: ['0.8.29', '0.8.30', '0.8.31-fixed'] }
  })
  const found = await Promise.all(['0.99.1', '0.99.2', '0.8.30', '0.8.31'].map((each) => list.has(each, signal)))
  expect(found).toEqual(['no', 'no', 'yes', 'yes'])
  expect(await list.has('0.99.3', signal)).toBe('no')
  expect(asked).toBe(1)
})

test('a registry that does not answer leaves the version unknown, and is not asked again at once', async () => {
  let asked = 0
  const list = createSolcList(async () => {
    asked++
    return { type: 'failed', reason: 'no network' }
  })
  expect([await list.has('0.8.1', signal), await list.has('0.8.2', signal)]).toEqual(['unknown', 'unknown'])
  expect(asked).toBe(1)
})
