import { describe, expect, test } from 'vitest'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import { L1_BLOCK } from '../../src/chain/rules/addresses.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import { l1Parameters } from '../../src/evm/transaction/op-fees.ts'
import { callOf } from '../contracts/calldata.ts'
import { createTestChain, type TestChain } from './chain-for-tests.ts'
import { userDeposit } from './deposits.ts'
import { decodeAttributes, l1NumberAt, originAfter } from './l1-origin.ts'
import { createProtocol } from './protocol.ts'

function attributesOf({ chain }: TestChain, number: number) {
  const { data } = chain.blockByNumber(number)!.transactions[0]!.recovered.transaction
  return { data, ...decodeAttributes(data) }
}

describe('the attributes of L1', () => {
  test.each(['isthmus', 'jovian'] as const)(
    'the attributes of L1 arrive in the contract that keeps them (%s)',
    (fork) => {
      const testChain = createTestChain({ fork })
      testChain.chain.seal()
      const { data, origin, parameters } = attributesOf(testChain, 1)
      const setter = fork === 'jovian' ? 'setL1BlockValuesJovian' : 'setL1BlockValuesIsthmus'
      expect(bytesToHex(data.subarray(0, 4))).toBe(callOf('L1Block', setter))
      expect(testChain.chain.head().transactions[0]!.receipt.status).toBe(1)
      const stored = l1Parameters(new WorldState(testChain.chain.stateAt(1)!))
      // Where nothing is stored, a default counts.
      expect(fork === 'jovian' ? stored : { ...stored, daFootprintGasScalar: 0n }).toEqual(parameters)
      const slot = (number: bigint) => testChain.chain.stateAt(1)!.storage(L1_BLOCK, number)!
      expect(slot(0n) & 0xffff_ffff_ffff_ffffn).toBe(BigInt(origin.number))
      expect(slot(2n)).toBe(BigInt(origin.hash))
    },
  )

  test('the attributes of L1 count the blocks of one origin from 0, a new origin every twelve seconds', () => {
    const testChain = createTestChain()
    for (let i = 0; i < 40; i++) {
      testChain.chain.seal()
      testChain.clock.move(1_000)
    }
    const origins = Array.from({ length: 40 }, (_, i) => attributesOf(testChain, i + 1).origin)
    for (const [i, origin] of origins.entries()) {
      const previous = origins[i - 1]
      if (previous === undefined) continue
      const isNew = origin.number !== previous.number
      expect(origin.number).toBe(previous.number + (isNew ? 1 : 0))
      expect(origin.sequenceNumber).toBe(isNew ? 0 : previous.sequenceNumber + 1)
      if (isNew && i > 12) expect(previous.sequenceNumber).toBe(11)
      expect(origin.hash === previous.hash).toBe(!isNew)
    }
    expect(new Set(origins.map(({ number }) => number)).size).toBeGreaterThan(2)
  })

  test('the attributes of L1 are of the L1 block that the deposits of the block name', () => {
    const testChain = createTestChain()
    const request = { from: 1n, to: 2n, mint: 0n, value: 0n, gasLimit: 100_000n, data: new Uint8Array() }
    for (let height = 1; height <= 30; height++) {
      const answer = testChain.chain.deposit(request)
      testChain.clock.move(1_000)
      testChain.chain.seal()
      const l1BlockHash = attributesOf(testChain, height).origin.hash
      // The index also counts the deposits before.
      const index = height * 1_000 + height - 1
      expect(answer).toEqual({ type: 'queued', hash: userDeposit(request, { l1BlockHash, index }).hash })
      expect(testChain.chain.head().transactions[1]!.recovered.hash).toBe(
        userDeposit(request, { l1BlockHash, index }).hash,
      )
    }
    const numbers = Array.from({ length: 30 }, (_, i) => attributesOf(testChain, i + 1).origin.number)
    expect(new Set(numbers).size).toBeGreaterThan(2)
    testChain.chain.reorg(20)
    for (let height = 11; height <= 30; height++) {
      expect(attributesOf(testChain, height).origin.number).toBe(numbers[height - 1])
    }
  })

  test('the attributes of L1 have fees that move, but not in leaps', () => {
    const protocol = createProtocol({ chainId: 1, seed: 's', fork: 'isthmus', gasLimit: 30_000_000n })
    const fees = Array.from({ length: 200 }, (_, i) =>
      Number(originAfter(protocol, null, l1NumberAt(1_760_000_000 + 12 * i)).baseFee),
    )
    expect(new Set(fees).size).toBeGreaterThan(100)
    for (const [i, fee] of fees.entries()) {
      if (i > 0) expect(Math.abs(fee - fees[i - 1]!)).toBeLessThan(1e9)
    }
  })
})
