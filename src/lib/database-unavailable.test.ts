import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { DatabaseUnavailable, isDatabaseUnavailable } from './database-unavailable.ts'

test('an unavailable database is recognised by the type of the error', () => {
  expect(isDatabaseUnavailable(new DatabaseUnavailable('connect ECONNREFUSED'))).toBe(true)
  expect(isDatabaseUnavailable(Object.assign(new Error('a bug'), { name: 'DatabaseUnavailable' }))).toBe(false)
  expect(isDatabaseUnavailable({ type: 'database unavailable' })).toBe(false)
  expect(isDatabaseUnavailable(undefined)).toBe(false)
})

test('an unavailable database is recognised when a worker thread ends with the error', async () => {
  const failing = new Worker(
    `import(${JSON.stringify(new URL('./database-unavailable.ts', import.meta.url).href)})
      .then(({ DatabaseUnavailable }) => { throw new DatabaseUnavailable('gone') })`,
    { eval: true },
  )
  const [error] = await once(failing, 'error')
  expect(error).not.toBeInstanceOf(DatabaseUnavailable)
  expect(isDatabaseUnavailable(error)).toBe(true)
})
