import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  address,
  blockOverrides,
  blockParameter,
  bytes,
  callObject,
  heightQuantity,
  logCriteria,
  logQuery,
  quantity,
  slot,
  stateOverrides,
} from './rpc-params.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const HASH = `0x${'cd'.repeat(32)}`

function accepted(schema: z.ZodType, values: readonly unknown[]): unknown[] {
  return values.filter((value) => schema.safeParse(value).success)
}

test('addresses leave in lower case, and every other length is refused', () => {
  expect(address.parse(`0x${'AB'.repeat(20)}`)).toBe(ADDRESS)
  expect(accepted(address, ['0x', `${ADDRESS}0`, ADDRESS.slice(0, -1), ADDRESS.slice(2), 1])).toEqual([])
})

test('bytes come in pairs of digits, and none are fine', () => {
  expect(bytes.parse('0x')).toBe('0x')
  expect(bytes.parse('0xABcd')).toBe('0xabcd')
  expect(accepted(bytes, ['', '0xa', '0xabc', 'abcd', '0xzz', ['0x']])).toEqual([])
})

test('megabytes of call data are parsed', () => {
  const large = `0x${'60'.repeat(2_000_000)}`
  expect(bytes.parse(large)).toHaveLength(large.length)
})

test('a quantity is at most 256 bits, and leading zeros are let through', () => {
  expect(quantity.parse('0x0')).toBe(0n)
  expect(quantity.parse('0x00ff')).toBe(255n)
  expect(quantity.parse(`0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n)
  expect(accepted(quantity, ['0x', `0x1${'0'.repeat(64)}`, '255', 255, '-0x1', '0x1.8'])).toEqual([])
})

test('a height stays an exact number, however many zeros lead it', () => {
  expect(heightQuantity.parse('0xffffffffffff')).toBe(281_474_976_710_655)
  expect(heightQuantity.parse(`0x${'0'.repeat(80)}10`)).toBe(16)
  expect(accepted(heightQuantity, ['0x1000000000000', '0x', '16', 16])).toEqual([])
})

test('a storage position comes short or as 32 bytes', () => {
  expect(slot.parse('0x0')).toBe(0n)
  expect(slot.parse(`0x${'00'.repeat(31)}05`)).toBe(5n)
  expect(accepted(slot, ['0x', `0x${'00'.repeat(33)}`, '5'])).toEqual([])
})

test('a block is a tag, a number, a hash, or an object of EIP-1898', () => {
  const parsed = [
    'pending',
    '0x10',
    HASH,
    { blockNumber: '0x10' },
    { blockHash: HASH },
    { blockHash: HASH, requireCanonical: true },
  ].map((value) => blockParameter.parse(value))
  expect(parsed).toEqual([
    { type: 'tag', tag: 'pending' },
    { type: 'number', number: 16 },
    { type: 'hash', hash: HASH, requireCanonical: false },
    { type: 'number', number: 16 },
    { type: 'hash', hash: HASH, requireCanonical: false },
    { type: 'hash', hash: HASH, requireCanonical: true },
  ])
})

test('64 zeros are a hash and not the number zero', () => {
  const zeros = `0x${'0'.repeat(64)}`
  expect(blockParameter.parse(zeros)).toEqual({ type: 'hash', hash: zeros, requireCanonical: false })
  expect(blockParameter.parse(`0x${'0'.repeat(63)}`)).toEqual({ type: 'number', number: 0 })
})

test('what names no block, or two, is refused', () => {
  const wrong = [
    'newest',
    'Latest',
    16,
    '16',
    '',
    null,
    {},
    [],
    { blockHash: HASH, blockNumber: '0x1' },
    { blockNumber: '0x1', requireCanonical: true },
    { blockHash: HASH, other: 1 },
    { blockHash: HASH, requireCanonical: 'yes' },
  ]
  expect(accepted(blockParameter, wrong)).toEqual([])
})

test('a call object takes null for what is left out and drops what nobody knows', () => {
  expect(callObject.parse({ from: null, to: ADDRESS, value: '0x1', chainId: '0x1', gas: null })).toEqual({
    from: null,
    to: ADDRESS,
    value: 1n,
    gas: null,
  })
})

test('access lists and authorizations of a call are parsed to the end', () => {
  const authorization = { chainId: '0x1', address: ADDRESS, nonce: '0x0', yParity: '0x1', r: '0x2', s: '0x3' }
  const parsed = callObject.parse({
    accessList: [{ address: ADDRESS, storageKeys: [HASH] }],
    authorizationList: [authorization],
  })
  expect(parsed.accessList).toEqual([{ address: ADDRESS, storageKeys: [HASH] }])
  expect(parsed.authorizationList).toEqual([{ chainId: 1n, address: ADDRESS, nonce: 0n, yParity: 1n, r: 2n, s: 3n }])
  const wrong = [
    { accessList: [{ address: ADDRESS }] },
    { accessList: [{ address: ADDRESS, storageKeys: ['0x1'] }] },
    { accessList: {} },
    { authorizationList: [{ ...authorization, r: 2 }] },
    { data: '0x1' },
    { value: 1 },
    'call',
  ]
  expect(accepted(callObject, wrong)).toEqual([])
})

test('the state of an account is replaced or changed, and not both', () => {
  const words = { [HASH]: HASH }
  expect(stateOverrides.parse({ [ADDRESS]: { state: words, balance: '0x5' } })).toEqual({
    [ADDRESS]: { state: words, balance: 5n },
  })
  const both = stateOverrides.safeParse({ [ADDRESS]: { state: words, stateDiff: words } })
  expect(both.error?.issues[0]).toMatchObject({ message: 'has both state and stateDiff', path: [ADDRESS] })
  expect(accepted(stateOverrides, [{ '0x12': {} }, { [ADDRESS]: { state: { '0x1': HASH } } }])).toEqual([])
})

test('the address of an override is known by its value and not by its case', () => {
  expect(Object.keys(stateOverrides.parse({ [`0x${'AB'.repeat(20)}`]: { nonce: '0x1' } }))).toEqual([ADDRESS])
})

test('block overrides are heights, times and fees as quantities', () => {
  expect(blockOverrides.parse({ number: '0x10', time: '0x20', baseFeePerGas: '0x30' })).toEqual({
    number: 16,
    time: 32,
    baseFeePerGas: 48n,
  })
  expect(accepted(blockOverrides, [{ number: 16 }, { feeRecipient: '0x1' }, { prevRandao: '0x1' }])).toEqual([])
})

test('one address or topic of a filter becomes a list of one, and null in topics stays', () => {
  expect(logCriteria.parse({ address: ADDRESS, topics: [null, HASH, [HASH, HASH]] })).toEqual({
    address: [ADDRESS],
    topics: [null, [HASH], [HASH, HASH]],
  })
  expect(logCriteria.parse({})).toEqual({})
})

test('a filter with five topics or more than a thousand addresses is refused', () => {
  const many = (count: number) => ({ address: Array(count).fill(ADDRESS) })
  expect(accepted(logCriteria, [many(1_001), { topics: Array(5).fill(null) }, { topics: HASH }, 'all'])).toEqual([])
  expect(accepted(logCriteria, [many(1_000), { topics: Array(4).fill(null) }])).toHaveLength(2)
})

test('a log query goes by range or by block hash, and not by both', () => {
  expect(logQuery.parse({ fromBlock: '0x1', toBlock: 'pending' })).toEqual({
    fromBlock: { type: 'number', number: 1 },
    toBlock: { type: 'tag', tag: 'pending' },
  })
  expect(logQuery.safeParse({ blockHash: HASH }).success).toBe(true)
  expect(logQuery.safeParse({ blockHash: HASH, fromBlock: null, toBlock: null }).success).toBe(true)
  expect(logQuery.safeParse({ blockHash: HASH, toBlock: '0x1' }).error?.issues[0]?.message).toBe(
    'has both blockHash and fromBlock or toBlock',
  )
})
