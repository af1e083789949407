import { expect, test } from 'vitest'
import { bigintToBytes, bytesToHex } from '../../chain/bytes/hex.ts'
import { encodeRlp, type RlpInput } from '../../chain/bytes/rlp.ts'
import { touchedFromAccessList } from './read-flashblock.ts'

function account(address: bigint, changed: bigint[], read: bigint[]): RlpInput {
  return [
    bigintToBytes(address, 20),
    changed.map((slot) => [bigintToBytes(slot, 32), [[1, 7n]]]),
    read.map((slot) => bigintToBytes(slot, 32)),
    [[1, 5n]],
    [],
    [],
  ]
}
function hexOf(input: RlpInput) {
  return bytesToHex(encodeRlp(input))
}

test('reading touched state gives accounts and slots of a block access list, bare or wrapped', () => {
  const list = [account(0xaan, [1n, 2n], [3n]), account(0xbbn, [], [])]
  const expected = {
    accounts: new Set([0xaan, 0xbbn]),
    slots: new Map([
      [0xaan, new Set([1n, 2n, 3n])],
      [0xbbn, new Set()],
    ]),
  }
  expect(touchedFromAccessList(hexOf(list))).toEqual(expected)
  expect(touchedFromAccessList(hexOf([0, 5, bigintToBytes(9n, 32), list]))).toEqual(expected)
})

test.each([null, undefined, {}, '', '0x', '0xzz', '0xc0', '0xf8', hexOf([[[[[[account(1n, [], [])]]]]]])])(
  'takes %j for no hint at all',
  (list) => {
    expect(touchedFromAccessList(list)).toBeNull()
  },
)
