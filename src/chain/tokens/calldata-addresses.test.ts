import { expect, test } from 'vitest'
import { addressesInCalldata, MOST_WORDS } from './calldata-addresses.ts'

const ALICE = 'a11ce00000000000000000000000000000000001'
const BOB = '0b0b000000000000000000000000000000000002'
const word = (digits: string) => digits.padStart(64, '0')

test('the arguments of a call give the addresses that they name, each once', () => {
  const input = `0xa9059cbb${word(ALICE)}${word(BOB)}${word(ALICE)}` as const
  expect(addressesInCalldata(input)).toEqual([`0x${ALICE}`, `0x${BOB}`])
})

test('amounts, selectors and words that begin with other bytes are no addresses', () => {
  const amount = word((10n ** 24n).toString(16))
  expect(addressesInCalldata(`0xa9059cbb${amount}${'f'.repeat(64)}${word('0')}`)).toEqual([])
  expect(addressesInCalldata('0x')).toEqual([])
  expect(addressesInCalldata(`0xa9059cbb${word(ALICE).slice(0, 63)}`)).toEqual([])
})

test('input that is not made of whole words names nobody: it is code, not arguments', () => {
  expect(addressesInCalldata(`0xa9059cbb${word(ALICE)}6080`)).toEqual([])
})

test('only the first words of a long call are read', () => {
  const many = Array.from({ length: MOST_WORDS + 5 }, (_, i) => word(`ff${String(i).padStart(38, '0')}`)).join('')
  expect(addressesInCalldata(`0xa9059cbb${many}`)).toHaveLength(MOST_WORDS)
})
