import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToBytes, wordToHex } from '../bytes/hex.ts'
import { createReceipt, decodeReceipt, encodeReceipt, receiptsRoot } from './receipt.ts'
import { DEPOSIT } from './transaction.ts'

const words = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })
const anyLog = fc.record({
  address: fc.bigInt({ min: 0n, max: (1n << 160n) - 1n }),
  topics: fc.array(words, { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 70 }),
})
const outcome = fc.oneof(
  fc.record({ status: fc.constantFrom(0 as const, 1 as const) }),
  fc.record({ status: fc.constant(null), root: words.map(wordToHex) }),
)
const anyReceipt = fc
  .tuple(
    fc.record({
      type: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const, 4 as const),
      cumulativeGasUsed: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      logs: fc.array(anyLog, { maxLength: 3 }),
    }),
    outcome,
  )
  .map(([fields, result]) => createReceipt({ ...fields, ...result }))

const deposit = createReceipt({
  type: DEPOSIT,
  status: 1,
  cumulativeGasUsed: 46_108n,
  logs: [],
  depositNonce: 35_535_698n,
})
const canyonDeposit = { ...deposit, depositReceiptVersion: 1n }

describe('receipts', () => {
  test('receipts survive the way to bytes and back', () => {
    fc.assert(
      fc.property(anyReceipt, (receipt) => {
        expect(decodeReceipt(encodeReceipt(receipt))).toEqual(receipt)
      }),
    )
  })

  test('receipts of a deposit carry nonce and version since Canyon, and the nonce does not count before', () => {
    expect(decodeReceipt(encodeReceipt(canyonDeposit))).toEqual(canyonDeposit)
    expect(bytesToHex(encodeReceipt(canyonDeposit)).endsWith('84021e3b5201')).toBe(true)
    expect(receiptsRoot([deposit])).toBe(receiptsRoot([{ ...deposit, depositNonce: 0n }]))
    expect(receiptsRoot([canyonDeposit])).not.toBe(receiptsRoot([{ ...canyonDeposit, depositNonce: 0n }]))
  })

  test.each([
    ['an unknown type', '0x05c0', 'receipt type 0x5 is unknown'],
    ['missing fields', '0xc0', 'must have 4 fields'],
    ['missing fields of a type', '0x02c0', 'must have 4 fields'],
  ])('the receipt decoder refuses %s', (_, bytes, problem) => {
    expect(() => decodeReceipt(hexToBytes(bytes))).toThrow(problem)
  })
})
