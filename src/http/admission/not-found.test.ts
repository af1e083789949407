import { expect, test } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'
import { notFoundFailure } from './not-found.ts'

const known = new Set(
  ['chain', 'explorer'].flatMap((segment) => Object.values(endpoints).map(({ path }) => `/api/v5/${segment}${path}`)),
)

function hintFor(target: string): string | undefined {
  const { message } = notFoundFailure({ method: 'GET', target, other: undefined, exists: (path) => known.has(path) })
  return /Did you mean (\S+)\?/.exec(message)?.[1]
}

const SUMMARY = '/api/v5/chain/address/information-evm'

test.each([
  ['a mistyped operation', '/api/v5/chain/address/information-env?address=0x1', SUMMARY],
  [
    'another segment that the server has',
    '/api/v5/explorer/address/informations-evm',
    '/api/v5/explorer/address/information-evm',
  ],
  ['no segment', '/api/v5/address/information-evm', SUMMARY],
  ['a segment that the server does not have', '/api/v5/ledger/address/information-evm', SUMMARY],
  ['another case', '/API/V5/Chain/Address/Information-EVM', SUMMARY],
  ['no version', '/api/chain/address/information-evm', SUMMARY],
  ['no start at all', '/chain/address/information-evm', SUMMARY],
  ['neither start nor segment', '/address/information-evm', SUMMARY],
])('a path with %s is answered with the path that exists', (_, target, meant) => {
  expect(hintFor(target)).toBe(meant)
})

test.each(['/', '/address/0x1234', '/api/v5', '/wp-login.php', `/api/v5/chain/${'a'.repeat(500)}`])(
  'a path that is like no endpoint (%s) gets no hint',
  (target) => {
    expect(hintFor(target)).toBeUndefined()
  },
)
