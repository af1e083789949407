import { expect, test } from 'vitest'
import { addressesInFields, unknownFields, unknownFieldsText } from './unknown-fields.ts'

test('fields that the program reads are not among the unknown ones', () => {
  expect(unknownFields({ hash: '0x1', timestamp: '0x2', timestampMs: '0x3' }, 'block')).toBeUndefined()
  expect(unknownFields({ hash: '0x1', feeCurrency: '0x2', payer: null }, 'transaction')).toEqual({ feeCurrency: '0x2' })
})

test('the same name may be known in a receipt and unknown in a transaction', () => {
  expect(unknownFields({ l1Fee: '0x1' }, 'receipt')).toBeUndefined()
  expect(unknownFields({ l1Fee: '0x1' }, 'transaction')).toEqual({ l1Fee: '0x1' })
})

test('unknown fields are stored as they are, and a field beyond the bound by its length', () => {
  expect(unknownFieldsText(undefined)).toBeNull()
  expect(unknownFieldsText({ calls: [{ to: '0x1' }] })).toBe('{"calls":[{"to":"0x1"}]}')
  const text = unknownFieldsText({ payer: '0x1', blob: 'x'.repeat(100_000) })!
  expect(JSON.parse(text)).toEqual({ payer: '0x1', blob: '100002 characters, not stored' })
})

test('however many unknown fields there are, what is stored stays below the bound', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, 'x'.repeat(100)]))
  expect(unknownFieldsText(many)!.length).toBeLessThan(17_000)
})

test('the addresses that unknown fields name are found at any depth, and a bounded number of them', () => {
  const [payer, other] = [`0x${'aB'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
  expect(addressesInFields(undefined)).toEqual([])
  expect(addressesInFields({ payer, calls: [{ to: other, data: '0x1234' }], hash: `0x${'11'.repeat(32)}` })).toEqual([
    payer.toLowerCase(),
    other,
  ])
  const many = Array.from({ length: 100 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`)
  expect(addressesInFields({ many })).toHaveLength(32)
})
