import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { failureOf } from './failures.ts'

test('a database that is away is no bug: the client is told to come back', () => {
  const failure = failureOf(new DatabaseUnavailable('PostgreSQL does not answer: connect ECONNREFUSED'), 'id')
  expect(failure).toMatchObject({ key: 'notReady', retryAfterS: 5 })
  expect(failure.message).not.toContain('ECONNREFUSED')
})

test('anything unexpected is a bug that tells the client an id and nothing else', () => {
  const failure = failureOf(new TypeError('secret detail'), 'id-7')
  expect(failure).toMatchObject({ key: 'internal', message: expect.stringContaining('id-7') })
  expect(failure.message).not.toContain('detail')
})
