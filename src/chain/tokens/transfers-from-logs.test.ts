import fc from 'fast-check'
import { encodeAbiParameters, toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import { hexToBytes } from '../bytes/hex.ts'
import type { Log } from '../codec/log.ts'
import { transfersFromLog } from './transfers-from-logs.ts'

const TRANSFER = BigInt(toEventSelector('Transfer(address,address,uint256)'))
const SINGLE = BigInt(toEventSelector('TransferSingle(address,address,address,uint256,uint256)'))
const BATCH = BigInt(toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'))
const token = 0x70cen
const address = fc.bigInt({ min: 0n, max: 2n ** 160n - 1n })
const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

function log(topics: readonly bigint[], data: Uint8Array = new Uint8Array(0)): Log {
  return { address: token, topics, data }
}
function words(...values: readonly bigint[]): Uint8Array {
  return hexToBytes(`0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`)
}
function lists(ids: readonly bigint[], amounts: readonly bigint[]): Uint8Array {
  return hexToBytes(encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, amounts]))
}

test('transfers of ERC-20 and ERC-721 are distinguished by the number of topics', () => {
  expect(transfersFromLog(log([TRANSFER, 1n, 2n], words(5n)))).toEqual([
    { standard: 'erc20', token, from: 1n, to: 2n, amount: 5n, tokenId: 0n },
  ])
  expect(transfersFromLog(log([TRANSFER, 1n, 2n, 5n]))).toEqual([
    { standard: 'erc721', token, from: 1n, to: 2n, amount: 1n, tokenId: 5n },
  ])
})

test('decoding of transfer logs reads ERC-1155 transfers, one by one and in batches, as an encoder of the ABI writes them', () => {
  const pairs = fc.array(fc.tuple(word, word), { maxLength: 20 })
  fc.assert(
    fc.property(address, address, address, word, word, pairs, (operator, from, to, id, amount, batch) => {
      const expected = (tokenId: bigint, amount: bigint) => ({ standard: 'erc1155', token, from, to, amount, tokenId })
      expect(transfersFromLog(log([SINGLE, operator, from, to], words(id, amount)))).toEqual([expected(id, amount)])
      const data = lists(
        batch.map(([id]) => id),
        batch.map(([, amount]) => amount),
      )
      expect(transfersFromLog(log([BATCH, operator, from, to], data))).toEqual(
        batch.map(([id, amount]) => expected(id, amount)),
      )
    }),
  )
})

test('decoding of transfer logs takes deposits of wrapped native currency and other events for no transfers', () => {
  const deposit = BigInt(toEventSelector('Deposit(address,uint256)'))
  expect(transfersFromLog(log([deposit, 1n], words(5n)))).toEqual([])
  expect(transfersFromLog(log([]))).toEqual([])
})

test.each([
  ['an ERC-20 transfer without an amount', log([TRANSFER, 1n, 2n])],
  ['a transfer whose fields are not indexed', log([TRANSFER], words(1n, 2n, 3n))],
  ['a sender that is no address', log([TRANSFER, 2n ** 200n, 2n], words(1n))],
  ['a single transfer with half of its data', log([SINGLE, 1n, 2n, 3n], words(1n))],
  ['a batch of more ids than amounts', log([BATCH, 1n, 2n, 3n], lists([1n, 2n], [1n]))],
  ['a batch that claims to be longer than the universe', log([BATCH, 1n, 2n, 3n], words(64n, 64n, 2n ** 255n))],
  ['a batch whose lists lie outside', log([BATCH, 1n, 2n, 3n], words(2n ** 64n, 0n))],
])('%s is called malformed', (_, malformed) => {
  expect(transfersFromLog(malformed)).toBe('malformed')
})

test('decoding of transfer logs never throws, whatever the log holds', () => {
  const topics = fc.array(fc.oneof(fc.constantFrom(TRANSFER, SINGLE, BATCH), word), { maxLength: 4 })
  const data = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(fc.bigInt(0n, 200n)).map((all) => words(...all)),
  )
  fc.assert(
    fc.property(topics, data, (topics, data) => {
      const found = transfersFromLog(log(topics, data))
      if (found !== 'malformed') expect(found.length).toBeLessThanOrEqual(1 + data.length / 32)
    }),
    { numRuns: 1000 },
  )
})
