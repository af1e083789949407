import { describe, expect, test } from 'vitest'
import { bigintToBytes, bytesToHex } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { bloomMayContain } from '../../src/chain/codec/bloom.ts'
import { decodeAccount } from '../../src/chain/trie/account.ts'
import { trieProof } from '../../src/chain/trie/trie.ts'
import { provenValue } from '../../src/chain/trie/trie-proof.ts'
import { executeTransaction } from '../../src/evm/transaction/transaction.ts'
import { balanceOf, createTestChain, developer, send, startTraffic, type TestChain } from './chain-for-tests.ts'
import type { ChainBlock } from './included-transaction.ts'
import { HISTORY_BLOCKS } from './protocol.ts'

function blocksOf({ chain }: TestChain): ChainBlock[] {
  return Array.from({ length: chain.head().header.number + 1 }, (_, number) => chain.blockByNumber(number)!)
}

async function busyChain(seed = 7): Promise<TestChain> {
  const testChain = createTestChain()
  const traffic = await startTraffic(testChain, seed)
  for (let i = 0; i < 40; i++) {
    traffic.act(6)
    testChain.chain.step()
    testChain.clock.move(200)
  }
  testChain.chain.seal()
  return testChain
}

describe('the chain', () => {
  test('the chain is the same again with the same seed, the same time and the same transactions', async () => {
    const [once, again] = [await busyChain(), await busyChain()]
    expect(blocksOf(once).map(({ hash }) => hash)).toEqual(blocksOf(again).map(({ hash }) => hash))
  })

  test('the chain is another one with another seed', () => {
    const hashes = ['a', 'b'].map((seed) => createTestChain({ seed }).chain.hashOf(0))
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test('the chain gives the same blocks to another instance that gets the raw transactions', async () => {
    const original = await busyChain()
    const replica = createTestChain()
    for (const block of blocksOf(original).slice(1)) {
      replica.clock.move(block.header.timestamp * 1_000 - replica.clock.nowMs())
      replica.chain.contradictNext(() => block.transactions.map(({ recovered }) => recovered))
      expect(replica.chain.seal().header).toEqual(block.header)
    }
  })

  test('the chain holds together: parents, heights, times and base fees', async () => {
    const blocks = blocksOf(await busyChain())
    for (const [i, { header }] of blocks.slice(1).entries()) {
      const parent = blocks[i]!
      expect(header.parentHash).toBe(parent.hash)
      expect(header.number).toBe(parent.header.number + 1)
      expect(header.timestamp).toBeGreaterThan(parent.header.timestamp)
      expect(bytesToHex(header.extraData)).toBe('0x00000000fa00000006')
    }
  })

  test('the chain moves the base fee by the rule of EIP-1559, with elasticity 6 and denominator 250', () => {
    const { chain } = createTestChain({ gasLimit: 6_000_000n })
    const fee = chain.head().header.baseFeePerGas!
    const target = 1_000_000n
    // The fee of block 1 follows from the empty first block, that of block 2 from a block with more gas than the target.
    for (let nonce = 0; nonce < 100; nonce++) send(chain, { nonce, maxFee: 9_000_000_000n })
    const { header } = chain.seal()
    const first = fee - fee / 250n
    expect(header.baseFeePerGas).toBe(first)
    expect(header.gasUsed).toBeGreaterThan(target)
    expect(chain.nextBaseFee()).toBe(first + (first * (header.gasUsed - target)) / target / 250n)
  })

  test('the chain counts data against the gas limit under the rules of Jovian', () => {
    const { chain } = createTestChain({ fork: 'jovian' })
    const empty = chain.seal().header
    expect([empty.blobGasUsed, empty.extraData.length]).toEqual([0n, 17])
    send(chain)
    send(chain, { from: 1 })
    const { header, transactions } = chain.seal()
    expect(header.blobGasUsed).toBe(2n * transactions[1]!.opFees!.blobGasUsed!)
    expect(header.blobGasUsed).toBeGreaterThan(0n)
  })

  test('the chain lets the tags trail', () => {
    const { chain } = createTestChain({ safeDistance: 2, finalizedDistance: 5 })
    expect([chain.safeNumber(), chain.finalizedNumber()]).toEqual([0, 0])
    for (let i = 0; i < 7; i++) chain.seal()
    expect([chain.safeNumber(), chain.finalizedNumber()]).toEqual([5, 2])
  })

  test('the chain spreads the gas of a block over its flashblocks', () => {
    const { chain, messages } = createTestChain({ gasLimit: 1_500_000n })
    for (let nonce = 0; nonce < 60; nonce++) send(chain, { nonce, maxFee: 9_000_000_000n })
    for (let i = 0; i < 5; i++) chain.step()
    const used = messages.map(({ diff }) => Number(diff.gas_used))
    for (const [i, gas] of used.entries()) expect(gas).toBeLessThanOrEqual((1_500_000 * (i + 1)) / 5)
    expect(used[4]! - used[3]!).toBeGreaterThan(200_000)
  })
})

describe('deposits', () => {
  test('deposits mint, and come right behind the attributes of the next block', () => {
    const { chain } = createTestChain()
    chain.step()
    const answer = chain.deposit({
      from: 0xdadn,
      to: 0xb0bn,
      mint: 100n,
      value: 40n,
      gasLimit: 50_000n,
      data: new Uint8Array(),
    })
    send(chain)
    chain.seal()
    expect(balanceOf(chain, 0xdadn)).toBe(0n)
    const { transactions } = chain.seal()
    expect(transactions[1]!.recovered.hash).toBe(answer.type === 'queued' && answer.hash)
    expect([balanceOf(chain, 0xdadn), balanceOf(chain, 0xb0bn)]).toEqual([60n, 41n])
    expect(transactions[1]!.receipt).toMatchObject({ status: 1, depositNonce: 0n, depositReceiptVersion: 1n })
  })

  test('deposits mint even where they fail', () => {
    const { chain } = createTestChain()
    chain.deposit({ from: 0xdadn, to: 0xb0bn, mint: 5n, value: 40n, gasLimit: 50_000n, data: new Uint8Array() })
    expect(chain.seal().transactions[1]!.receipt.status).toBe(0)
    expect([balanceOf(chain, 0xdadn), balanceOf(chain, 0xb0bn)]).toEqual([5n, 0n])
  })

  test('deposits differ in hash however alike they are', () => {
    const { chain } = createTestChain()
    const request = { from: 1n, to: 2n, mint: 1n, value: 1n, gasLimit: 50_000n, data: new Uint8Array() }
    const answers = Array.from({ length: 6 }, (_, i) => {
      if (i % 2 === 0) chain.seal()
      return chain.deposit(request)
    })
    expect(new Set(answers.map((answer) => answer.type === 'queued' && answer.hash)).size).toBe(6)
  })

  test('deposits are refused where no block has room for them', () => {
    const { chain } = createTestChain()
    const request = { from: 1n, to: 2n, mint: 1n, value: 1n, data: new Uint8Array() }
    expect(chain.deposit({ ...request, gasLimit: 59_000_001n }).type).toBe('refused')
    expect(chain.deposit({ ...request, gasLimit: 59_000_000n }).type).toBe('queued')
    expect(chain.seal().transactions.length).toBe(2)
  })
})

describe('a transaction', () => {
  test('a transaction waits, is preconfirmed, and is included', () => {
    const { chain } = createTestChain()
    const hash = send(chain)
    expect(chain.transaction(hash)!.type).toBe('waiting')
    chain.step()
    expect(chain.transaction(hash)).toMatchObject({ type: 'preconfirmed', index: 1 })
    chain.seal()
    expect(chain.transaction(hash)).toMatchObject({ type: 'included', index: 1, block: { header: { number: 1 } } })
  })

  test('a transaction has what its receipt leaves unsaid', async () => {
    const { transactions } = (await busyChain()).chain.blockByNumber(3)!
    let gas = 0n
    let logs = 0
    for (const { gasUsed, firstLogIndex, receipt, opFees, recovered } of transactions) {
      gas += gasUsed
      expect(gas).toBe(receipt.cumulativeGasUsed)
      expect(firstLogIndex).toBe(logs)
      logs += receipt.logs.length
      expect(opFees === undefined).toBe(recovered.transaction.type === 0x7e)
    }
  })
})

describe('blocks and states of the past', () => {
  test('blocks and states of the past are found by number, by hash, and by the hash of a flashblock', () => {
    const { chain, messages } = createTestChain()
    const sealed = chain.seal()
    expect(chain.blockByHash(sealed.hash)).toBe(chain.blockByNumber(1))
    send(chain)
    chain.step()
    send(chain, { nonce: 1 })
    chain.step()
    const [, first, second] = messages.map(({ diff }) => chain.blockByHash(diff.block_hash)!)
    expect([first!.transactions.length, second!.transactions.length]).toEqual([2, 3])
    expect(chain.blockByNumber(2)).toBeNull()
    expect(chain.hashOf(2)).toBeNull()
  })

  test('blocks and states of the past have a filter that knows the logs', async () => {
    const { chain } = await busyChain()
    const { header, transactions } = blocksOf({ chain } as TestChain).find(({ transactions }) =>
      transactions.some(({ receipt }) => receipt.logs.length > 0),
    )!
    const { address } = transactions.flatMap(({ receipt }) => receipt.logs)[0]!
    expect(bloomMayContain(chain.bloomOf(header.number)!, bigintToBytes(address, 20))).toBe(true)
    expect(bloomMayContain(chain.bloomOf(0)!, bigintToBytes(address, 20))).toBe(false)
  })

  test('blocks and states of the past are available for the last blocks and not for older ones', () => {
    const { chain } = createTestChain()
    const bob = 0xb0bn
    const last = HISTORY_BLOCKS + 10
    const hashes = Array.from({ length: last }, (_, nonce) => {
      const hash = send(chain, { nonce })
      chain.seal()
      return hash
    })
    // Blocks are there for ever: this one is read from the log.
    expect(chain.transaction(hashes[2]!)).toMatchObject({
      type: 'included',
      index: 1,
      block: { header: { number: 3 } },
    })
    for (const number of [last, last - 1, last - 100, 10]) expect(balanceOf(chain, bob, number)).toBe(BigInt(number))
    expect(chain.stateAt(9)).toBeNull()
    expect(chain.stateAt(last + 1)).toBeNull()
    expect(chain.trieAt(9)).toBeNull()
  })

  test('blocks and states of the past prove accounts against the state root of their block', () => {
    const { chain } = createTestChain()
    for (let nonce = 0; nonce < 6; nonce++) {
      send(chain, { nonce })
      chain.seal()
    }
    const key = keccak256(bigintToBytes(0xb0bn, 20))
    for (let number = 1; number <= 6; number++) {
      const trie = chain.trieAt(number)!
      expect(bytesToHex(trie.root)).toBe(chain.blockByNumber(number)!.header.stateRoot)
      const value = provenValue({ root: trie.root, key, proof: trieProof(trie.accounts, key) })
      expect(decodeAccount(value!).balance).toBe(BigInt(number))
    }
  })

  test('blocks and states of the past can be executed again from the middle of a block, with the same outcome', async () => {
    const { chain } = await busyChain()
    const block = chain.blockByNumber(chain.head().header.number - 2)!
    for (const [index, { recovered, gasUsed, receipt }] of block.transactions.entries()) {
      const { world, env, gasUsedBefore } = chain.worldBefore(block, index)!
      const execution = executeTransaction(world, env, recovered, { gasUsedBefore })
      expect(execution).toMatchObject({
        type: 'executed',
        gasUsed,
        succeeded: receipt.status === 1,
        logs: receipt.logs,
      })
    }
  })

  test('a read at pending gives the nonce and balance after the open block', () => {
    const { chain } = createTestChain()
    send(chain)
    expect(chain.stateAt('pending')!.account(developer(0))!.nonce).toBe(0n)
    chain.step()
    expect(chain.stateAt('pending')!.account(developer(0))!.nonce).toBe(1n)
    expect(chain.stateAt(0)!.account(developer(0))!.nonce).toBe(0n)
  })
})
