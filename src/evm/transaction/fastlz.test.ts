import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fastLzLength } from './fastlz.ts'

test('nothing compresses to nothing', () => expect(fastLzLength(new Uint8Array(0))).toBe(0))

test('a thousand equal bytes take 21, as the OP specification has it', () => {
  expect(fastLzLength(new Uint8Array(1000))).toBe(21)
  expect(fastLzLength(new Uint8Array(1000).fill(1))).toBe(21)
})

test('bytes without repetition take one more for every 32', () => {
  const distinct = Uint8Array.from({ length: 100 }, (_, index) => index)
  expect(fastLzLength(distinct)).toBe(100 + Math.ceil(100 / 32))
})

test('what follows the longest possible match costs no less than nothing', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(30), (bytes, times) => {
      const repeated = Uint8Array.from({ length: bytes.length * times }, (_, index) => bytes[index % bytes.length]!)
      const length = fastLzLength(repeated)
      expect(length).toBeLessThanOrEqual(repeated.length + Math.ceil(repeated.length / 32))
      expect(length).toBeGreaterThanOrEqual(repeated.length === 0 ? 0 : 2)
    }),
  )
})
