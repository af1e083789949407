import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { failureOf } from './failures.ts'

test('an unavailable database is no bug: the client may try again', () => {
  const failure = failureOf(new DatabaseUnavailable('PostgreSQL does not answer: connect ECONNREFUSED'), 'id')
  expect(failure).toMatchObject({ key: 'notReady', retryAfterS: 5 })
  expect(failure.message).not.toContain('ECONNREFUSED')
})

test('the client of an unexpected error gets the request id and nothing else', () => {
  const failure = failureOf(new TypeError('secret detail'), 'id-7')
  expect(failure).toMatchObject({ key: 'internal', message: expect.stringContaining('id-7') })
  expect(failure.message).not.toContain('detail')
})
