import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  address,
  addresses,
  after,
  amount,
  chainShortName,
  choice,
  decimalOrder,
  flashblockIndex,
  guid,
  hash,
  hashes,
  height,
  label,
  limit,
  numberOrder,
  page,
  timestampMs,
} from './params.ts'

/** The first message of the refusal; undefined where the value is accepted. */
function refusal(schema: z.ZodType, value: unknown): string | undefined {
  const result = schema.safeParse(value)
  return result.success ? undefined : result.error.issues[0]!.message
}

function accepted(schema: z.ZodType, values: readonly unknown[]): unknown[] {
  return values.filter((value) => schema.safeParse(value).success)
}

test('an address leaves in lower case, whatever case it came in', () => {
  expect(address.parse('0xABcdEF0000000000000000000000000000000001')).toBe('0xabcdef0000000000000000000000000000000001')
})

test('an address with a digit too few or too many, without 0x, or with a space around it is refused', () => {
  const digits = 'ab'.repeat(20)
  const wrong = [
    `0x${digits.slice(1)}`,
    `0x${digits}0`,
    digits,
    `0X${digits}`,
    ` 0x${digits}`,
    `0x${digits}\n`,
    7,
    null,
  ]
  expect(accepted(address, wrong)).toEqual([])
  expect(refusal(address, '0x12')).toBe('must be 0x followed by 40 hex digits')
})

test('a hash has 64 digits, and an address is none', () => {
  expect(hash.parse(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  expect(accepted(hash, [`0x${'ab'.repeat(20)}`, `0x${'ab'.repeat(31)}a`, `0x${'ab'.repeat(33)}`])).toEqual([])
})

test('hashes separated by commas become a list in the order given, repetitions included', () => {
  const [a, b] = [`0x${'Aa'.repeat(32)}`, `0x${'0b'.repeat(32)}`]
  expect(hashes.parse(`${b},${a},${b}`)).toEqual([b, a.toLowerCase(), b])
})

test('twenty hashes are accepted, and of twenty-one the count is what is wrong', () => {
  const many = (count: number) =>
    Array(count)
      .fill(`0x${'ab'.repeat(32)}`)
      .join(',')
  expect(hashes.parse(many(20))).toHaveLength(20)
  const result = hashes.safeParse(many(21))
  expect(result.error?.issues[0]).toMatchObject({ message: 'at most 20', params: { key: 'tooManyValues' } })
})

test('a list of hashes with an empty or blank entry is refused', () => {
  const one = `0x${'ab'.repeat(32)}`
  expect(accepted(hashes, [`${one},`, `,${one}`, `${one},,${one}`, `${one}, ${one}`, ''])).toEqual([])
})

test('twenty addresses are accepted, and of twenty-one the count is what is wrong', () => {
  const many = (count: number) =>
    Array(count)
      .fill(`0x${'AB'.repeat(20)}`)
      .join(',')
  expect(addresses.parse(many(20))).toEqual(Array(20).fill(`0x${'ab'.repeat(20)}`))
  const result = addresses.safeParse(many(21))
  expect(result.error?.issues[0]).toMatchObject({ message: 'at most 20', params: { key: 'tooManyValues' } })
})

test('a height is a plain decimal integer of at most 2 to the 33', () => {
  expect(height.parse('0')).toBe(0)
  expect(height.parse('8589934592')).toBe(8_589_934_592)
  expect(accepted(height, ['8589934593', '-1', '1.0', '1e3', '0x10', '', ' 1', '1 ', '١', 5, true])).toEqual([])
})

test('an index of a flashblock ends at 1023', () => {
  expect(flashblockIndex.parse('1023')).toBe(1023)
  expect(refusal(flashblockIndex, '1024')).toBe('must be an index from 0 to 1023')
})

test('a time of sixteen digits is refused, because it would not stay exact', () => {
  expect(timestampMs.parse('999999999999999')).toBe(999_999_999_999_999)
  expect(refusal(timestampMs, '1000000000000000')).toBe('must be Unix time in milliseconds')
})

test('an amount stays the string that came, digit for digit', () => {
  const exact = `${'9'.repeat(78)}.${'0'.repeat(77)}1`
  expect(amount.parse(exact)).toBe(exact)
  expect(
    accepted(amount, ['-0', '+1', '.5', '5.', '1,5', '1e18', 'Infinity', `1${exact}`, `0.${'1'.repeat(79)}`]),
  ).toEqual([])
})

test('a page left out is the first, and page zero is refused', () => {
  expect(page.parse(undefined)).toBe(1)
  expect(refusal(page, '0')).toBe('must be an integer from 1')
})

test('a page size left out is twenty, and one past its limit is refused with the limit in the message', () => {
  expect(limit(50).parse(undefined)).toBe(20)
  expect(limit(50).parse('50')).toBe(50)
  expect(refusal(limit(50), '51')).toBe('must be an integer from 1 to 50')
  expect(refusal(limit(50), '0')).toBe('must be an integer from 1 to 50')
})

test('a cursor has the letters of base64url and at most 256 of them', () => {
  expect(after.parse('aZ09_-')).toBe('aZ09_-')
  expect(accepted(after, ['', 'a+b', 'a/b', 'a=', 'a'.repeat(257)])).toEqual([])
  expect(after.parse('a'.repeat(256))).toHaveLength(256)
})

test('the id of a verification job is 32 lower-case digits without 0x', () => {
  expect(guid.parse('0123456789abcdef0123456789abcdef')).toBe('0123456789abcdef0123456789abcdef')
  expect(accepted(guid, ['0123456789ABCDEF0123456789ABCDEF', '0x23456789abcdef0123456789abcdef', 'ab'])).toEqual([])
})

test('a choice names what may be chosen, and is exact about case', () => {
  const direction = choice(['from', 'to'])
  expect(direction.parse('to')).toBe('to')
  expect(refusal(direction, 'To')).toBe('must be one of from, to')
})

test('labels and chain names have a longest length', () => {
  expect(refusal(label('must be a string'), 'x'.repeat(257))).toBe('must have at most 256 characters')
  expect(refusal(label('must be a string'), 3)).toBe('must be a string')
  expect(refusal(chainShortName, 'x'.repeat(65))).toBe('must be the chain’s short name')
  expect(refusal(chainShortName, 'x'.repeat(64))).toBeUndefined()
})

test('a range may begin where it ends', () => {
  expect([numberOrder(3, 3), numberOrder(2, 3), numberOrder(4, 3)]).toEqual([true, true, false])
})

test('decimals are compared by value and not by their letters', () => {
  expect(decimalOrder('9', '10')).toBe(true)
  expect(decimalOrder('1.10', '1.1')).toBe(true)
  expect(decimalOrder('1.1', '1.10')).toBe(true)
  expect(decimalOrder('0.000000000000000002', '0.000000000000000001')).toBe(false)
  expect(decimalOrder('9007199254740993', '9007199254740992')).toBe(false)
  expect(decimalOrder('007', '7')).toBe(true)
})

test('decimals are ordered as the integers that they are times a power of ten', () => {
  const scaled = fc.tuple(fc.bigInt(0n, 10n ** 30n), fc.integer({ min: 0, max: 18 }))
  const written = ([value, places]: readonly [bigint, number]) => {
    const digits = value.toString().padStart(places + 1, '0')
    return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  }
  fc.assert(
    fc.property(scaled, scaled, (a, b) => {
      const isOrdered = a[0] * 10n ** BigInt(18 - a[1]) <= b[0] * 10n ** BigInt(18 - b[1])
      expect(decimalOrder(written(a), written(b))).toBe(isOrdered)
    }),
    { seed: 12, numRuns: 300 },
  )
})
