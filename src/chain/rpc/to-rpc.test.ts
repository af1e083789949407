import { describe, expect, test } from 'vitest'
import { addressToHex, bigintToBytes, wordToHex } from '../bytes/hex.ts'
import { createReceipt } from '../codec/receipt.ts'
import { recoverTransaction, signTransaction } from '../codec/recovered-transaction.ts'
import { DEPOSIT, type DepositTransaction, FEE_MARKET } from '../codec/transaction.ts'
import { encodeTransaction } from '../codec/transaction-codec.ts'
import { receiptFromRpc } from './block-from-rpc.ts'
import { receiptToRpc, transactionToRpc } from './to-rpc.ts'
import { transactionFromRpc } from './transaction-from-rpc.ts'

// Blocks, signed transactions and their receipts are compared with recorded answers in recorded-chain.test.ts; this is the rest.
describe('what OP nodes add', () => {
  test('a deposit takes its nonce from the receipt and shows zeros for the signature', () => {
    expect(transactionToRpc(recoveredDeposit, inclusion, depositReceipt)).toEqual({
      blockHash: wordToHex(1n),
      blockNumber: '0x5',
      blockTimestamp: '0x64',
      transactionIndex: '0x0',
      hash: recoveredDeposit.hash,
      type: '0x7e',
      from: addressToHex(7n),
      to: addressToHex(8n),
      nonce: '0x3',
      gas: '0xf4240',
      gasPrice: '0x0',
      value: '0x2',
      input: '0x09',
      sourceHash: wordToHex(99n),
      mint: '0x1',
      depositReceiptVersion: '0x1',
      v: '0x0',
      r: '0x0',
      s: '0x0',
    })
  })

  test('a deposit and its receipt survive the way to JSON-RPC and back', () => {
    expect(transactionFromRpc(transactionToRpc(recoveredDeposit, inclusion, depositReceipt))).toEqual(deposit)
    const rpc = receiptToRpc(recoveredDeposit, depositReceipt, { ...inclusion, ...execution })
    expect(rpc).toMatchObject({ depositNonce: '0x3', depositReceiptVersion: '0x1', effectiveGasPrice: '0x0' })
    expect(receiptFromRpc(rpc)).toEqual(depositReceipt)
  })

  test('the fees of L1 and of the operator stand in the receipt', () => {
    const opFees = {
      l1Fee: 10n,
      l1GasUsed: 1600n,
      l1GasPrice: 5n,
      l1BaseFeeScalar: 2n,
      l1BlobBaseFee: 1n,
      l1BlobBaseFeeScalar: 3n,
      operatorFeeScalar: 4n,
      operatorFeeConstant: 0n,
    }
    const rpc = receiptToRpc(transfer, receipt, { ...inclusion, ...execution, opFees })
    expect(rpc).toMatchObject({ l1Fee: '0xa', l1GasUsed: '0x640', operatorFeeConstant: '0x0' })
    expect(rpc).not.toHaveProperty('daFootprintGasScalar')
    expect(receiptToRpc(transfer, receipt, { ...inclusion, ...execution })).not.toHaveProperty('l1Fee')
  })
})

describe('a pool transaction', () => {
  test('a pool transaction has no place and shows the most it would pay', () => {
    expect(transactionToRpc(transfer, null)).toMatchObject({
      blockHash: null,
      blockNumber: null,
      blockTimestamp: null,
      transactionIndex: null,
      gasPrice: '0x64',
    })
    expect(transactionToRpc(transfer, inclusion).gasPrice).toBe('0x1e')
  })
})

test('logs are numbered through the block', () => {
  const log = { address: 1n, topics: [], data: new Uint8Array(0) }
  const busy = createReceipt({ type: FEE_MARKET, status: 1, cumulativeGasUsed: 1n, logs: [log, log] })
  const { logs } = receiptToRpc(transfer, busy, { ...inclusion, ...execution, firstLogIndex: 4 })
  expect(logs.map(({ logIndex, blockTimestamp }) => [logIndex, blockTimestamp])).toEqual([
    ['0x4', '0x64'],
    ['0x5', '0x64'],
  ])
})

const inclusion = {
  blockHash: wordToHex(1n),
  blockNumber: 5,
  blockTimestamp: 100,
  transactionIndex: 0,
  baseFeePerGas: 20n,
}
const execution = { gasUsed: 21_000n, contractAddress: null, firstLogIndex: 0 }

const deposit: DepositTransaction = {
  type: DEPOSIT,
  sourceHash: wordToHex(99n),
  from: 7n,
  to: 8n,
  mint: 1n,
  value: 2n,
  gasLimit: 1_000_000n,
  isSystemTx: false,
  data: Uint8Array.of(9),
}
const recoveredDeposit = recoverTransaction(encodeTransaction(deposit))
const depositReceipt = createReceipt({
  type: DEPOSIT,
  status: 1,
  cumulativeGasUsed: 21_000n,
  logs: [],
  depositNonce: 3n,
  depositReceiptVersion: 1n,
})

const transfer = signTransaction(
  {
    type: FEE_MARKET,
    chainId: 1n,
    nonce: 0n,
    gasLimit: 21_000n,
    to: 1n,
    value: 1n,
    data: new Uint8Array(0),
    maxFeePerGas: 100n,
    maxPriorityFeePerGas: 10n,
    accessList: [],
  },
  bigintToBytes(7n, 32),
)
const receipt = createReceipt({ type: FEE_MARKET, status: 1, cumulativeGasUsed: 21_000n, logs: [] })
