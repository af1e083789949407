import { expect, test } from 'vitest'
import { genesisAccounts } from './genesis.ts'

test('genesis accounts are read with hex and decimal balances, with and without 0x', () => {
  const alloc = {
    [`0x${'Ab'.repeat(20)}`]: { balance: '0x10' },
    ['cd'.repeat(20)]: { balance: '16', code: '0x6001' },
    ['ef'.repeat(20)]: { code: '0x' },
  }
  expect(genesisAccounts({ alloc })).toEqual([
    { address: `0x${'ab'.repeat(20)}`, balance: 16n, hasCode: false },
    { address: `0x${'cd'.repeat(20)}`, balance: 16n, hasCode: true },
    { address: `0x${'ef'.repeat(20)}`, balance: 0n, hasCode: false },
  ])
})

test('a genesis file without alloc is refused', () => {
  expect(() => genesisAccounts({ config: {} })).toThrow('alloc')
})

test('a genesis address of another length is refused', () => {
  expect(() => genesisAccounts({ alloc: { '0x1': {} } })).toThrow('is not a 20-byte address')
})
