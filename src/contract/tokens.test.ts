import { expect, test } from 'vitest'
import { type Endpoint, paramsFrom } from './endpoint.ts'
import { tokenList, tokenTransferList } from './tokens.ts'
import { largeTransactionList } from './transactions.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const YEAR_MS = 31_536_000_000

function messageOf(endpoint: Endpoint, params: Record<string, unknown>): string {
  try {
    paramsFrom(endpoint, { chainShortName: 'DEV', ...params })
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

test('issue dates span at most one year, to the millisecond', () => {
  const startTime = '1700000000000'
  expect(messageOf(tokenList, { startTime, endTime: String(1_700_000_000_000 + YEAR_MS) })).toBe('accepted')
  expect(messageOf(tokenList, { startTime, endTime: String(1_700_000_000_001 + YEAR_MS) })).toBe(
    'Parameter endTime error: must be at most one year after startTime.',
  )
  expect(messageOf(tokenList, { startTime, endTime: '1699999999999' })).toBe(
    'Parameter startTime error: must not be above endTime.',
  )
})

test('one end of the issue dates alone bounds nothing', () => {
  expect(messageOf(tokenList, { startTime: '0' })).toBe('accepted')
  expect(messageOf(tokenList, { endTime: '999999999999999' })).toBe('accepted')
})

test('tokens are ordered by value only among fungible ones', () => {
  expect(messageOf(tokenList, { orderBy: 'totalMarketCap' })).toBe('accepted')
  expect(messageOf(tokenList, { orderBy: 'totalMarketCap', protocolType: 'token_721' })).toBe(
    'Parameter orderBy error: is only for protocolType token_20.',
  )
})

test('a smallest amount above the largest is refused, compared as decimals', () => {
  const transfers = { tokenContractAddress: ADDRESS }
  expect(messageOf(tokenTransferList, { ...transfers, minAmount: '9', maxAmount: '10' })).toBe('accepted')
  expect(messageOf(tokenTransferList, { ...transfers, minAmount: '1.50', maxAmount: '1.5' })).toBe('accepted')
  expect(messageOf(tokenTransferList, { ...transfers, minAmount: '10.1', maxAmount: '10.09' })).toBe(
    'Parameter minAmount error: must not be above maxAmount.',
  )
})

test('a large transaction begins at one hundred units', () => {
  expect(paramsFrom(largeTransactionList, { chainShortName: 'DEV' }).type).toBe('100')
  expect(messageOf(largeTransactionList, { type: '100.0' })).toBe('accepted')
  expect(messageOf(largeTransactionList, { type: '99.999999999999999999' })).toBe(
    'Parameter type error: must be at least 100.',
  )
})
