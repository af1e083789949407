// Hashes and roots of recorded blocks of Ethereum and Polygon, and of the flashblocks of one OP block, recomputed from their fields.
// The recordings lie beside the repository; where they do not, the tests are skipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  bytesToHex,
  equalBytes,
  fromQuantityToNumber,
  type Hex,
  hexToAddress,
  hexToBytes,
  hexToWord,
} from '../bytes/hex.ts'
import { EMPTY_LIST_HASH } from '../bytes/keccak.ts'
import { blockFromRpc, receiptFromRpc } from '../rpc/block-from-rpc.ts'
import { transactionsRoot } from './block.ts'
import { bloomOfLogs, unionOfBlooms } from './bloom.ts'
import { FOREIGN } from './foreign-transaction.ts'
import { EMPTY_REQUESTS_HASH, type Header, headerHash } from './header.ts'
import { createReceipt, type Receipt, receiptsRoot } from './receipt.ts'
import { frontierSenderOf, recoverTransaction } from './recovered-transaction.ts'
import { DEPOSIT, FEE_MARKET } from './transaction.ts'
import { encodeTransaction, transactionHash } from './transaction-codec.ts'
import { withdrawalsRoot } from './withdrawal.ts'

const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url)
const areThere = existsSync(FIXTURES)
if (!areThere) console.log('no recorded blocks beside the repository: their tests are skipped')

describe.runIf(areThere)('recorded blocks', () => {
  const places = areThere
    ? ['ethereum', 'polygon'].flatMap((chain) =>
        readdirSync(new URL(`real-blocks/${chain}`, FIXTURES)).map((n) => `${chain}/${n}`),
      )
    : []

  test.each(places)(
    'in recorded block %s hash, roots, blooms, transaction hashes and senders follow from the fields',
    (place) => {
      const { hash, header, withdrawals, ...block } = blockFromRpc(readJson(`real-blocks/${place}/block.json`))
      const transactions = block.transactions.map(({ transaction, ...rest }) => {
        if (transaction.type === FOREIGN) throw new Error('a recorded block has a transaction of an unknown type')
        return { ...rest, transaction }
      })
      const receipts: Receipt[] = readJson(`real-blocks/${place}/receipts.json`).map(receiptFromRpc)
      expect(headerHash(header)).toBe(hash)
      for (const each of transactions) {
        expect(transactionHash(each.transaction)).toBe(each.hash)
        expect(frontierSenderOf(each.transaction)).toBe(each.from)
      }
      expect(transactionsRoot(transactions.map((each) => encodeTransaction(each.transaction)))).toBe(
        header.transactionsRoot,
      )
      for (const receipt of receipts) expect(equalBytes(bloomOfLogs(receipt.logs), receipt.logsBloom)).toBe(true)
      expect(unionOfBlooms(receipts.map((receipt) => receipt.logsBloom))).toEqual(header.logsBloom)
      expect(receiptsRoot(receipts)).toBe(header.receiptsRoot)
      expect(withdrawals && withdrawalsRoot(withdrawals)).toBe(header.withdrawalsRoot)
    },
  )
})

describe.runIf(areThere)('recorded flashblocks', () => {
  test('recorded flashblocks give the block hash, receipts root and bloom of every index', () => {
    const flashblocks = readJson('flashblocks/unichain-sepolia-35535698.json')
    const base = flashblocks[0].base
    const raws: Uint8Array[] = []
    const receipts: Receipt[] = []
    for (const { diff, metadata } of flashblocks) {
      for (const raw of (diff.transactions as Hex[]).map(hexToBytes)) {
        raws.push(raw)
        receipts.push(receiptOfFlashblock(metadata.receipts[recoverTransaction(raw).hash]))
      }
      expect(receiptsRoot(receipts)).toBe(diff.receipts_root)
      expect(bytesToHex(unionOfBlooms(receipts.map((each) => each.logsBloom)))).toBe(diff.logs_bloom)
      expect(headerHash(headerOfFlashblock(base, diff, raws))).toBe(diff.block_hash)
    }
    expect(flashblocks.length).toBeGreaterThan(2)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: recordings are JSON of many shapes, read once each
type Json = any

function readJson(path: string): Json {
  return JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8'))
}

function receiptOfFlashblock(keyed: Json): Receipt {
  const [[kind, receipt]] = Object.entries<Json>(keyed) as [[string, Json]]
  return createReceipt({
    type: kind === 'Deposit' ? DEPOSIT : FEE_MARKET,
    status: receipt.status === '0x1' ? 1 : 0,
    cumulativeGasUsed: BigInt(receipt.cumulativeGasUsed),
    logs: receipt.logs.map((log: Json) => ({
      address: hexToAddress(log.address),
      topics: log.topics.map(hexToWord),
      data: hexToBytes(log.data),
    })),
    ...(kind === 'Deposit' && {
      depositNonce: BigInt(receipt.depositNonce),
      depositReceiptVersion: BigInt(receipt.depositReceiptVersion),
    }),
  })
}

function headerOfFlashblock(base: Json, diff: Json, transactions: Uint8Array[]): Header {
  return {
    parentHash: base.parent_hash,
    sha3Uncles: bytesToHex(EMPTY_LIST_HASH),
    miner: hexToAddress(base.fee_recipient),
    stateRoot: diff.state_root,
    transactionsRoot: transactionsRoot(transactions),
    receiptsRoot: diff.receipts_root,
    logsBloom: hexToBytes(diff.logs_bloom),
    difficulty: 0n,
    number: fromQuantityToNumber(base.block_number),
    gasLimit: BigInt(base.gas_limit),
    gasUsed: BigInt(diff.gas_used),
    timestamp: fromQuantityToNumber(base.timestamp),
    extraData: hexToBytes(base.extra_data),
    mixHash: base.prev_randao,
    nonce: '0x0000000000000000',
    baseFeePerGas: BigInt(base.base_fee_per_gas),
    withdrawalsRoot: diff.withdrawals_root,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: base.parent_beacon_block_root,
    requestsHash: EMPTY_REQUESTS_HASH,
  }
}
