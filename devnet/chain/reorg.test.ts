import { describe, expect, test } from 'vitest'
import { addressToHex, bytesToHex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { WRAPPED_ETHER } from '../../src/chain/rules/addresses.ts'
import { callOf } from '../contracts/calldata.ts'
import type { ChainEvent } from './chain.ts'
import { balanceOf, createTestChain, developer, send, startTraffic, type TestChain } from './chain-for-tests.ts'
import { MAX_REORG_DEPTH } from './sequencer.ts'

const GWEI = 1_000_000_000n

function lastHead({ events }: TestChain) {
  return events.findLast((event): event is ChainEvent & { type: 'head' } => event.type === 'head')!
}

describe('a reorg', () => {
  test('a reorg replaces the last blocks by different ones that hold together', async () => {
    const testChain = createTestChain()
    const { chain } = testChain
    const traffic = await startTraffic(testChain)
    for (let i = 0; i < 30; i++) {
      traffic.act(5)
      chain.step()
      testChain.clock.move(200)
    }
    const before = chain.head().header.number
    const parentHash = chain.hashOf(before - 4)
    chain.reorg(4)
    const { added, removed } = lastHead(testChain)
    expect(removed.map(({ header }) => header.number)).toEqual([0, 1, 2, 3].map((i) => before - i))
    expect(added.map(({ header }) => header.number)).toEqual([3, 2, 1, 0].map((i) => before - i))
    expect(added[0]!.header.parentHash).toBe(parentHash)
    for (const [i, block] of added.entries()) {
      expect(chain.blockByNumber(block.header.number)).toBe(block)
      expect(block.hash).not.toBe(removed[3 - i]!.hash)
      expect(chain.blockByHash(removed[3 - i]!.hash)).toBeNull()
    }
    for (let number = before - 6; number <= before; number++) {
      expect(bytesToHex(chain.trieAt(number)!.root)).toBe(chain.blockByNumber(number)!.header.stateRoot)
    }
    expect(chain.worldBefore(removed[0]!, 0)).toBeNull()
  })

  test('a reorg gives other blocks every time, even of empty ones', () => {
    const { chain } = createTestChain()
    for (let i = 0; i < 3; i++) chain.seal()
    const seen = [chain.head().hash]
    for (let i = 0; i < 3; i++) {
      chain.reorg(2)
      seen.push(chain.head().hash)
    }
    expect(new Set(seen).size).toBe(4)
  })

  test('a reorg loses no transaction', () => {
    const { chain } = createTestChain()
    const hashes = [0, 1, 2].flatMap((block) => {
      const sent = [0, 1].map((i) => send(chain, { from: i, nonce: block }))
      chain.seal()
      return sent
    })
    const { type } = chain.deposit({ from: 1n, to: 2n, mint: 5n, value: 5n, gasLimit: 50_000n, data: new Uint8Array() })
    expect(type).toBe('queued')
    chain.step()
    const open = send(chain, { nonce: 3 })
    chain.step()
    chain.reorg(3)
    chain.seal()
    for (const hash of [...hashes, open]) expect(chain.transaction(hash)!.type).toBe('included')
    expect(balanceOf(chain, 2n)).toBe(5n)
    expect(balanceOf(chain, 0xb0bn)).toBe(7n)
  })

  test('a reorg goes on with another payload at the height that was open', () => {
    const { chain, messages } = createTestChain()
    chain.seal()
    chain.step()
    const abandoned = messages.at(-1)!
    chain.reorg(1)
    chain.step()
    const next = messages.at(-1)!
    expect(next.metadata.block_number).toBe(abandoned.metadata.block_number)
    expect(next.payload_id).not.toBe(abandoned.payload_id)
    expect(next.base!.parent_hash).toBe(chain.head().hash)
  })

  test('a reorg leaves the states of the past right', () => {
    const { chain } = createTestChain()
    for (let nonce = 0; nonce < 8; nonce++) {
      send(chain, { nonce })
      chain.seal()
    }
    chain.reorg(3)
    expect(balanceOf(chain, 0xb0bn, 5)).toBe(5n)
    expect(balanceOf(chain, 0xb0bn, 3)).toBe(3n)
    expect(chain.stateAt(8)!.account(developer(0))!.nonce).toBe(7n)
  })

  test('a reorg is not deeper than the chain, nor than the limit', () => {
    const { chain } = createTestChain()
    chain.seal()
    expect(() => chain.reorg(2)).toThrow(RangeError)
    for (let i = 0; i < MAX_REORG_DEPTH + 1; i++) chain.seal()
    expect(() => chain.reorg(MAX_REORG_DEPTH + 1)).toThrow(RangeError)
    expect(() => chain.reorg(0)).toThrow(RangeError)
    chain.reorg(MAX_REORG_DEPTH)
    expect(chain.head().header.number).toBe(MAX_REORG_DEPTH + 2)
  })
})

describe('a contradiction', () => {
  test('a contradiction drops a preconfirmed transaction, which then waits again', () => {
    const { chain, messages } = createTestChain()
    const [first, second] = [0, 1].map((from) => send(chain, { from }))
    chain.step()
    chain.contradictNext((transactions) => transactions.filter(({ hash }) => hash !== second))
    const sealed = chain.seal()
    expect(sealed.hash).not.toBe(messages.at(-1)!.diff.block_hash)
    expect(chain.transaction(first!)!.type).toBe('included')
    expect(chain.transaction(second!)!.type).toBe('waiting')
    chain.seal()
    expect(chain.transaction(second!)!.type).toBe('included')
  })

  test('a contradiction changes the order', () => {
    const { chain } = createTestChain()
    const hashes = [0, 1].map((from) => send(chain, { from }))
    chain.step()
    chain.contradictNext(([attributes, ...rest]) => [attributes!, ...rest.toReversed()])
    expect(
      chain
        .seal()
        .transactions.slice(1)
        .map(({ recovered }) => recovered.hash),
    ).toEqual(hashes.toReversed())
  })

  test('a contradiction turns a success with logs into a failure without', () => {
    const { chain, messages } = createTestChain()
    const weth = (functionName: string, ...args: unknown[]) => ({
      to: WRAPPED_ETHER,
      data: hexToBytes(callOf('WrappedEther', functionName, args)),
      gas: 100_000n,
    })
    const [owner, spender] = [0, 1].map((index) => addressToHex(developer(index)))
    send(chain, { ...weth('deposit'), value: 100n, tip: 2n * GWEI })
    const approval = send(chain, { ...weth('approve', spender, 100n), value: 0n, nonce: 1, tip: 2n * GWEI })
    const transfer = send(chain, { ...weth('transferFrom', owner, spender, 100n), value: 0n, from: 1, tip: GWEI })
    chain.step()
    const [reported] = Object.values(messages.at(-1)!.metadata.receipts[transfer]!)
    expect([reported!.status, reported!.logs.length]).toEqual(['0x1', 1])
    chain.contradictNext((transactions) => transactions.filter(({ hash }) => hash !== approval))
    const { receipt } = chain.seal().transactions.find(({ recovered }) => recovered.hash === transfer)!
    expect([receipt.status, receipt.logs.length]).toEqual([0, 0])
  })

  test('a contradiction holds for one block only', () => {
    const { chain, messages } = createTestChain()
    chain.contradictNext(() => [])
    chain.seal()
    send(chain)
    expect(chain.seal().hash).toBe(messages.at(-1)!.diff.block_hash)
  })
})
