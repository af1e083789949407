import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeAmount, encodeAmount } from './table.ts'

const anyInteger = fc.oneof(fc.bigInt({ min: -300n, max: 300n }), fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }))
function hexOf(value: bigint) {
  return Buffer.from(encodeAmount(value)).toString('hex')
}

test('every integer is decoded as it was encoded', () => {
  fc.assert(fc.property(anyInteger, (value) => decodeAmount(hexOf(value)) === value))
})

test('encoded amounts sort as the numbers do', () => {
  const order = (a: bigint, b: bigint) => Number(a > b) - Number(a < b)
  fc.assert(
    fc.property(anyInteger, anyInteger, (a, b) => Buffer.compare(encodeAmount(a), encodeAmount(b)) === order(a, b)),
  )
})

test('a small amount is encoded in few bytes', () => {
  expect([0n, 1n, 256n, -1n].map(hexOf)).toEqual(['80', '8101', '820100', '7ffe'])
})
