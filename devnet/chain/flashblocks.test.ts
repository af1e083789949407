// What the feed sends, checked against what can be computed from it without the chain.
import { beforeAll, describe, expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToAddress, hexToBytes, hexToWord } from '../../src/chain/bytes/hex.ts'
import { EMPTY_LIST_HASH, keccak256 } from '../../src/chain/bytes/keccak.ts'
import { transactionsRoot } from '../../src/chain/codec/block.ts'
import { bloomOfLogs } from '../../src/chain/codec/bloom.ts'
import { EMPTY_REQUESTS_HASH, headerHash } from '../../src/chain/codec/header.ts'
import { createReceipt, type Receipt, receiptsRoot } from '../../src/chain/codec/receipt.ts'
import { decodeTransaction } from '../../src/chain/codec/transaction-codec.ts'
import { feedMessageFrom } from '../../src/contract/flashblock.ts'
import { MemoryState } from '../../src/evm/state/memory-state.ts'
import type { DevnetChain } from './chain.ts'
import { createTestChain, START_MS, startTraffic, type TestChain } from './chain-for-tests.ts'
import type { FlashblockMessage } from './flashblock-message.ts'
import { createGenesis, trieOf } from './genesis-block.ts'
import type { ChainBlock } from './included-transaction.ts'
import { createProtocol } from './protocol.ts'

describe('the flashblocks of a busy chain', () => {
  let testChain: TestChain
  /** The messages of each block, in order. */
  let sequences: FlashblockMessage[][]

  beforeAll(async () => {
    testChain = createTestChain()
    const traffic = await startTraffic(testChain)
    testChain.messages.length = 0
    for (let i = 0; i < 60; i++) {
      traffic.act(8)
      testChain.chain.step()
      testChain.clock.move(200)
    }
    testChain.chain.seal()
    sequences = []
    for (const message of testChain.messages) {
      if (message.index === 0) sequences.push([])
      sequences.at(-1)!.push(message)
    }
  })

  test('the flashblocks of a busy chain come five to a block, numbered from 0, under one payload id', () => {
    expect(sequences.length).toBe(12)
    for (const sequence of sequences.slice(0, -1)) {
      expect(sequence.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
      expect(new Set(sequence.map(({ payload_id }) => payload_id)).size).toBe(1)
      expect(sequence[0]!.payload_id).toMatch(/^0x03[0-9a-f]{14}$/)
    }
  })

  test('the flashblocks of a busy chain are what the contract of the feed says', () => {
    for (const message of testChain.messages) {
      expect(feedMessageFrom(JSON.parse(JSON.stringify(message))).type).toBe('flashblock')
      expect('base' in message).toBe(message.index === 0)
    }
  })

  test('the flashblocks of a busy chain have the hash of the header that base, diffs and transactions make', () => {
    for (const sequence of sequences) {
      for (const [i, { diff }] of sequence.entries()) {
        expect(rebuiltHash(sequence.slice(0, i + 1))).toBe(diff.block_hash)
      }
    }
  })

  test('the flashblocks of a busy chain have the receipts root, the bloom and the gas of the receipts so far', () => {
    for (const sequence of sequences) {
      for (const [i, { diff }] of sequence.entries()) {
        const receipts = receiptsOf(sequence.slice(0, i + 1))
        expect(receiptsRoot(receipts)).toBe(diff.receipts_root)
        expect(bytesToHex(bloomOfLogs(receipts.flatMap(({ logs }) => logs)))).toBe(diff.logs_bloom)
        expect(receipts.at(-1)!.cumulativeGasUsed).toBe(BigInt(diff.gas_used))
      }
    }
  })

  test('the flashblocks of a busy chain end with the hash of the canonical block', () => {
    for (const sequence of sequences) {
      const { diff, metadata } = sequence.at(-1)!
      expect(testChain.chain.hashOf(metadata.block_number)).toBe(diff.block_hash)
    }
  })

  test('the flashblocks of a busy chain begin with the attributes deposit, and carry transactions of every type', () => {
    for (const [first] of sequences) {
      expect(Object.keys(first!.metadata.receipts[hashOf(first!.diff.transactions[0]!)]!)).toEqual(['Deposit'])
    }
    const types = testChain.messages.flatMap(({ metadata }) => Object.values(metadata.receipts).flatMap(Object.keys))
    expect(new Set(types)).toEqual(new Set(['Deposit', 'Legacy', 'Eip2930', 'Eip1559', 'Eip7702']))
  })
})

describe('a flashblock', () => {
  test('a flashblock has the state root of the state so far, executed and hashed again', async () => {
    const testChain = createTestChain()
    const { chain } = testChain
    const mirror = genesisOf(chain)
    const changesOf = (block: ChainBlock) => chain.worldBefore(block, block.transactions.length)!.world.takeChanges()
    const roots: [reported: Hex, computed: Hex][] = []
    chain.on((event) => {
      if (event.type === 'head') for (const block of event.added) mirror.apply(changesOf(block))
      if (event.type !== 'flashblock') return
      const state = copyOf(mirror)
      state.apply(changesOf(chain.pending()))
      roots.push([event.message.diff.state_root, bytesToHex(trieOf(state).root)])
    })
    const traffic = await startTraffic(testChain)
    for (let i = 0; i < 7; i++) {
      traffic.act(10)
      chain.step()
    }
    expect(roots.length).toBeGreaterThan(7)
    for (const [reported, computed] of roots) expect(reported).toBe(computed)
  })

  test('a flashblock lists the balances that its state has', async () => {
    const testChain = createTestChain()
    const traffic = await startTraffic(testChain)
    testChain.chain.on((event) => {
      if (event.type !== 'flashblock') return
      const state = testChain.chain.stateAt('pending')!
      const balances = Object.entries(event.message.metadata.new_account_balances)
      expect(balances.length).toBeGreaterThan(3)
      for (const [address, balance] of balances) {
        expect(state.account(hexToAddress(address))?.balance ?? 0n).toBe(BigInt(balance))
      }
    })
    traffic.act(20)
    testChain.chain.step()
    traffic.act(20)
    testChain.chain.step()
    expect(testChain.messages.at(-1)!.metadata.new_account_balances).toMatchObject(
      Object.fromEntries(
        Object.keys(testChain.messages.at(-2)!.metadata.new_account_balances).map((key) => [key, expect.any(String)]),
      ),
    )
  })
})

function genesisOf(chain: DevnetChain): MemoryState {
  const protocol = createProtocol({ chainId: 1_337_200, seed: 'test', fork: 'isthmus', gasLimit: 60_000_000n })
  const { block, state } = createGenesis(protocol, START_MS / 1_000)
  expect(block.hash).toBe(chain.hashOf(0))
  return state
}

function copyOf({ accounts, slots, codes }: MemoryState): MemoryState {
  const copy = new MemoryState()
  copy.apply({ accounts, slots, codes, wiped: new Set() })
  return copy
}

function hashOf(raw: Hex): Hex {
  return bytesToHex(keccak256(hexToBytes(raw)))
}

function rebuiltHash(sequence: readonly FlashblockMessage[]): Hex {
  const base = sequence[0]!.base!
  const { diff } = sequence.at(-1)!
  return headerHash({
    parentHash: base.parent_hash,
    sha3Uncles: bytesToHex(EMPTY_LIST_HASH),
    miner: hexToAddress(base.fee_recipient),
    stateRoot: diff.state_root,
    transactionsRoot: transactionsRoot(sequence.flatMap((each) => each.diff.transactions.map(hexToBytes))),
    receiptsRoot: diff.receipts_root,
    logsBloom: hexToBytes(diff.logs_bloom),
    difficulty: 0n,
    number: Number(base.block_number),
    gasLimit: BigInt(base.gas_limit),
    gasUsed: BigInt(diff.gas_used),
    timestamp: Number(base.timestamp),
    extraData: hexToBytes(base.extra_data),
    mixHash: base.prev_randao,
    nonce: '0x0000000000000000',
    baseFeePerGas: BigInt(base.base_fee_per_gas),
    withdrawalsRoot: diff.withdrawals_root,
    blobGasUsed: BigInt(diff.blob_gas_used),
    excessBlobGas: 0n,
    parentBeaconBlockRoot: base.parent_beacon_block_root,
    requestsHash: EMPTY_REQUESTS_HASH,
  })
}

/** In the order of the transactions: the map of receipts has none. */
function receiptsOf(sequence: readonly FlashblockMessage[]): Receipt[] {
  return sequence.flatMap(({ diff, metadata }) =>
    diff.transactions.map((raw) => {
      const [receipt] = Object.values(metadata.receipts[hashOf(raw)]!)
      const { status, cumulativeGasUsed, logs, depositNonce } = receipt!
      return createReceipt({
        type: decodeTransaction(hexToBytes(raw)).type,
        status: status === '0x1' ? 1 : 0,
        cumulativeGasUsed: BigInt(cumulativeGasUsed),
        logs: logs.map(({ address, topics, data }) => ({
          address: hexToAddress(address),
          topics: topics.map(hexToWord),
          data: hexToBytes(data),
        })),
        ...(depositNonce !== undefined && { depositNonce: BigInt(depositNonce), depositReceiptVersion: 1n }),
      })
    }),
  )
}
