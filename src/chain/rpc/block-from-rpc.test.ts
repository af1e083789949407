import { describe, expect, test } from 'vitest'
import { wordToHex } from '../bytes/hex.ts'
import { headerFromRpc, logFromRpc, receiptFromRpc } from './block-from-rpc.ts'
import { transactionFromRpc } from './transaction-from-rpc.ts'

const legacy = {
  type: '0x0',
  nonce: '0x0',
  gas: '0x5208',
  gasPrice: '0x1',
  to: null,
  value: '0x0',
  input: '0x',
  v: '0x1b',
  r: '0x1',
  s: '0x1',
}
const receipt = { type: '0x2', status: '0x1', cumulativeGasUsed: '0x1', logs: [], logsBloom: '0x' }

// The accepting side is held by the recorded chains.
describe('what a node says', () => {
  test.each([
    ['a transaction that is not an object', () => transactionFromRpc('0x12'), 'transaction is not an object'],
    ['a missing field', () => transactionFromRpc({ ...legacy, nonce: undefined }), 'nonce is not a string'],
    ['a number in place of hex', () => transactionFromRpc({ ...legacy, gas: 21000 }), 'gas is not a string'],
    ['broken hex', () => transactionFromRpc({ ...legacy, input: '0x1' }), 'input: "0x1" has an odd number'],
    ['a short address', () => transactionFromRpc({ ...legacy, to: '0x1' }), 'to: "0x1" is not a 20-byte address'],
    ['a type of another chain', () => transactionFromRpc({ ...legacy, type: '0x64' }), 'type 0x64 is unknown'],
    [
      'a receipt without status and root',
      () => receiptFromRpc({ ...receipt, status: undefined }),
      'root is not a string',
    ],
    ['logs that are not a list', () => receiptFromRpc({ ...receipt, logs: {} }), 'logs is not a list'],
    [
      'a short topic',
      () => logFromRpc({ address: `0x${'0'.repeat(40)}`, topics: ['0x1'], data: '0x' }),
      'is not a 32-byte',
    ],
    ['a height beyond reason', () => headerFromRpc({ ...header, number: '0xffffffffffffffff' }), 'number is beyond'],
  ])('what a node says is refused by name for %s', (_, read, problem) => {
    expect(read).toThrow(problem)
  })

  test('what a node says may leave the type out, as old nodes do', () => {
    expect(transactionFromRpc({ ...legacy, type: undefined })).toMatchObject({ type: 0, chainId: null })
  })
})

const hash = wordToHex(1n)
const header = {
  parentHash: hash,
  sha3Uncles: hash,
  miner: `0x${'1'.repeat(40)}`,
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: '0x',
  difficulty: '0x0',
}
