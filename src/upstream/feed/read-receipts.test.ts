import { expect, test } from 'vitest'
import { DEPOSIT, FEE_MARKET } from '../../chain/codec/transaction.ts'
import { receiptsFromFeed } from './read-flashblock.ts'

const log = { address: `0x${'11'.repeat(20)}`, topics: [`0x${'22'.repeat(32)}`], data: '0x33' }
const receipt = { status: '0x1', cumulativeGasUsed: '0x5208', logs: [log] }

test('receipts that are tagged outside and inside are read alike', () => {
  const outside = receiptsFromFeed([[FEE_MARKET, { Eip1559: receipt }]])
  expect(outside).toMatchObject([
    { type: FEE_MARKET, status: 1, cumulativeGasUsed: 21_000n, logs: [{ data: Uint8Array.of(0x33) }] },
  ])
  expect(receiptsFromFeed([[FEE_MARKET, { type: '0x2', ...receipt }]])).toEqual(outside)
  expect(receiptsFromFeed([[FEE_MARKET, { type: '0x2', ...receipt, status: true }]])).toEqual(outside)
})

test('the receipt of a deposit has its nonce and version', () => {
  const deposit = { ...receipt, status: '0x0', depositNonce: '0x7', depositReceiptVersion: '0x1' }
  expect(receiptsFromFeed([[DEPOSIT, { Deposit: deposit }]])).toMatchObject([
    { type: DEPOSIT, status: 0, depositNonce: 7n, depositReceiptVersion: 1n },
  ])
})

test('an incomplete list of receipts counts as none', () => {
  expect(
    receiptsFromFeed([
      [FEE_MARKET, { Eip1559: receipt }],
      [FEE_MARKET, undefined],
    ]),
  ).toBeNull()
  expect(receiptsFromFeed([[DEPOSIT, { Deposit: {} }]])).toBeNull()
})
