import { expect, test } from 'vitest'
import { Failure, type FailureKey, refusals } from './failure.ts'

test('a failure carries its key, its words and the refusal that its key stands for', () => {
  const failure = new Failure('tooManyRequests', 'Requests too frequent.', { retryAfterS: 2 })
  expect(failure).toBeInstanceOf(Error)
  expect(failure).toMatchObject({ name: 'Failure', key: 'tooManyRequests', retryAfterS: 2 })
  expect(failure.message).toBe('Requests too frequent.')
  expect(failure.refusal).toEqual({ code: '50011', status: 429, rpc: -32005 })
})

test('a failure without a cause has none, and with one it is the same object', () => {
  expect('cause' in new Failure('internal', 'x')).toBe(false)
  const cause = new Error('disk full')
  expect(new Failure('internal', 'x', { cause }).cause).toBe(cause)
  expect(new Failure('internal', 'x').retryAfterS).toBeUndefined()
})

test('what is unknown here is answered with status 200, as the spec has it, and nothing else is', () => {
  const plain = Object.entries(refusals).filter(([, { status }]) => status === 200)
  expect(plain.map(([key]) => key).sort()).toEqual(['tooManyValues', 'unknownChain', 'unknownHeight', 'unknownToken'])
})

test('only a bug is a 500, and only a service that is not ready or has too much to do is a 503', () => {
  const statuses = new Map(Object.entries(refusals).map(([key, { status }]) => [key, status]))
  expect([...statuses].filter(([, status]) => status >= 500)).toEqual([
    ['notReady', 503],
    ['queueFull', 503],
    ['internal', 500],
  ])
})

test('every refusal of authentication is a 401 with a code of the 501xx family', () => {
  const keys = Object.keys(refusals).filter((key) => /^(key|passphrase|signature|timestamp)/.test(key))
  expect(keys).toHaveLength(10)
  for (const key of keys as FailureKey[]) {
    expect(refusals[key].status, key).toBe(401)
    expect(refusals[key].code, key).toMatch(/^501\d\d$/)
  }
})

test('every code is five digits and every JSON-RPC code is of the reserved range', () => {
  for (const [key, { code, rpc }] of Object.entries(refusals)) {
    expect(code, key).toMatch(/^5\d{4}$/)
    expect(rpc >= -32_768 && rpc <= -32_000, key).toBe(true)
  }
})
