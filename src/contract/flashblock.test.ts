import { expect, test } from 'vitest'
import { feedMessageFrom } from './flashblock.ts'

const HASH = `0x${'ab'.repeat(32)}`
const PAYLOAD_ID = '0x0312345678abcdef'

const BASE = {
  base_fee_per_gas: '0x7',
  block_number: '0x10',
  extra_data: '0x',
  fee_recipient: `0x${'11'.repeat(20)}`,
  gas_limit: '0x1c9c380',
  parent_beacon_block_root: HASH,
  parent_hash: HASH,
  prev_randao: HASH,
  timestamp: '0x655c0000',
}

const DIFF = {
  blob_gas_used: '0x0',
  block_hash: HASH,
  gas_used: '0x5208',
  logs_bloom: `0x${'00'.repeat(256)}`,
  receipts_root: HASH,
  state_root: HASH,
  transactions: ['0x02f8'],
  withdrawals: [],
  withdrawals_root: HASH,
}

function message(changes: Record<string, unknown> = {}) {
  return {
    base: BASE,
    diff: DIFF,
    index: 0,
    metadata: { block_number: 16, new_account_balances: {}, receipts: {} },
    payload_id: PAYLOAD_ID,
    ...changes,
  }
}

function withoutKey(object: Record<string, unknown>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
}

function typeOf(json: unknown): string {
  return feedMessageFrom(json).type
}

test('a whole message is a flashblock, and what nobody knows in it is left out', () => {
  const parsed = feedMessageFrom({ ...message(), extra: 1 })
  expect(parsed).toEqual({ type: 'flashblock', flashblock: message() })
})

test('later flashblocks come without base, absent or null', () => {
  expect(typeOf(message({ index: 3, base: null }))).toBe('flashblock')
  expect(typeOf(withoutKey(message({ index: 3 }), 'base'))).toBe('flashblock')
})

test('the first flashblock of a block without base is malformed', () => {
  expect(feedMessageFrom(message({ base: null }))).toEqual({ type: 'malformed', reason: 'index 0 without base' })
})

test('balances, receipts and blob gas may be absent or null', () => {
  for (const absent of [null, undefined]) {
    const metadata = { block_number: 16, new_account_balances: absent, receipts: absent }
    expect(typeOf(message({ metadata, diff: { ...DIFF, blob_gas_used: absent } }))).toBe('flashblock')
  }
})

test('a message in a wrapper is taken out of it', () => {
  expect(feedMessageFrom({ OpFlashblockPayload: message() })).toEqual({ type: 'flashblock', flashblock: message() })
  expect(typeOf({ OpFlashblockPayload: { OpFlashblockPayload: message() } })).toBe('malformed')
})

test('a message of a payload id alone ends its sequence', () => {
  expect(feedMessageFrom({ payload_id: PAYLOAD_ID })).toEqual({ type: 'end', payloadId: PAYLOAD_ID })
  expect(typeOf({ payload_id: PAYLOAD_ID, index: 1 })).toBe('malformed')
  expect(typeOf({ payload_id: '0x03' })).toBe('malformed')
})

test('what is no object is malformed and throws nothing', () => {
  for (const json of [null, undefined, 1, 'text', [], [message()], true])
    expect(typeOf(json), String(json)).toBe('malformed')
})

test('every missing field of diff but blob gas makes a message malformed, and the reason names it', () => {
  for (const key of Object.keys(DIFF).filter((name) => name !== 'blob_gas_used')) {
    expect(feedMessageFrom(message({ diff: withoutKey(DIFF, key) })), key).toEqual({
      type: 'malformed',
      reason: expect.stringContaining(key),
    })
  }
})

test('every missing field of base makes a message malformed', () => {
  for (const key of Object.keys(BASE)) {
    expect(typeOf(message({ base: withoutKey(BASE, key) })), key).toBe('malformed')
  }
})

test('a wrong index, height, payload id or hash is malformed', () => {
  const wrong = [
    { index: -1 },
    { index: 1.5 },
    { index: '0' },
    { metadata: { block_number: '0x10' } },
    { metadata: { block_number: -1 } },
    { payload_id: PAYLOAD_ID.slice(0, -1) },
    { payload_id: `${PAYLOAD_ID}0` },
    { diff: { ...DIFF, block_hash: '0xab' } },
    { diff: { ...DIFF, gas_used: 21_000 } },
    { diff: { ...DIFF, gas_used: '0x' } },
    { diff: { ...DIFF, transactions: ['02f8'] } },
    { metadata: { block_number: 16, receipts: { '0x12': {} } } },
    { metadata: { block_number: 16, new_account_balances: { [`0x${'11'.repeat(20)}`]: '100' } } },
  ]
  expect(wrong.filter((change) => typeOf(message(change)) !== 'malformed')).toEqual([])
})
