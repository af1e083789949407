import { describe, expect, test } from 'vitest'
import { createTestChain } from '../../devnet/chain/chain-for-tests.ts'
import { bytesToHex, hexToBytes } from '../chain/bytes/hex.ts'
import { scheduleFromGenesis } from '../chain/rules/genesis.ts'
import { call } from '../evm/call/call.ts'
import { WorldState } from '../evm/state/world-state.ts'
import { createForkRules } from './fork-rules.ts'
import type { AskNode } from './node-state.ts'

const { signal } = new AbortController()

async function silent(): Promise<never> {
  throw new Error('the node does not answer')
}

function blocksOf(fork: 'isthmus' | 'jovian' | 'karst') {
  const { chain } = createTestChain({ fork })
  for (let i = 0; i < 2; i++) chain.seal()
  return [0, 1, 2].map((number) => {
    const { hash, header, transactions } = chain.blockByNumber(number)!
    return { hash, header, transactions: transactions.map(({ recovered }) => recovered) }
  })
}

describe('fork rules by the marks of blocks', () => {
  const [genesis, first, second] = blocksOf('isthmus')

  test('the rules of a flashblock follow its base, though the genesis block, which has no marks of OP, is learnt later', () => {
    const { learn, rulesOf } = createForkRules({ schedule: null, ask: silent })
    learn(first!)
    learn(genesis!)
    expect(rulesOf(first!.header)).toMatchObject({ op: true, isthmus: true })
    expect(rulesOf(second!.header)).toMatchObject({ op: true, isthmus: true })
  })

  test('the rules change with the block that changes them, whichever block is learnt first', () => {
    const later = blocksOf('jovian')[2]!
    for (const order of [
      [first!, later],
      [later, first!],
    ]) {
      const { learn, rulesOf } = createForkRules({ schedule: null, ask: silent })
      for (const block of order) learn(block)
      expect(rulesOf(first!.header).jovian).toBe(false)
      expect(rulesOf(later.header).jovian).toBe(true)
    }
  })

  test('later heights have the rules of the newest known block, and the oldest blocks are forgotten', () => {
    const { learn, rulesOf } = createForkRules({ schedule: null, ask: silent })
    const later = blocksOf('jovian')[2]!
    for (let number = 1; number <= 300; number++) learn({ ...later, header: { ...later.header, number } })
    expect(rulesOf({ ...later.header, number: 5_000 }).jovian).toBe(true)
    expect(rulesOf({ ...later.header, number: 1 }).jovian).toBe(false)
  })
})

describe('Karst, which leaves no mark that stays', () => {
  /** A node that executes the calls that it is asked. */
  function nodeAt(fork: 'jovian' | 'karst') {
    const { chain } = createTestChain({ fork })
    const calls: string[] = []
    const ask: AskNode = async ([question]) => {
      const [{ input }] = question!.params as [{ input: string }]
      calls.push(question!.method)
      const world = new WorldState(chain.stateAt(0)!)
      const { output } = call(world, chain.envOf(chain.head().header), { to: null, data: hexToBytes(input) })
      return [{ type: 'result', result: bytesToHex(output) }]
    }
    return { ask, calls }
  }
  const [, first, second] = blocksOf('karst')

  test('Karst, which leaves no mark that stays is what the node says it is: its blocks look like those of Jovian', async () => {
    for (const fork of ['jovian', 'karst'] as const) {
      const { learn, confirm, rulesOf } = createForkRules({ schedule: null, ask: nodeAt(fork).ask })
      learn(first!)
      expect(rulesOf(first!.header).opFork).toBe('jovian')
      await confirm(first!, signal)
      expect(rulesOf(first!.header).opFork).toBe(fork)
      expect(rulesOf(second!.header).opFork).toBe(fork)
    }
  })

  test('Karst, which leaves no mark that stays is asked for once where the node says yes, and about once a minute where it says no', async () => {
    for (const [fork, times] of [
      ['karst', 1],
      ['jovian', 3],
    ] as const) {
      const { ask, calls } = nodeAt(fork)
      const { learn, confirm } = createForkRules({ schedule: null, ask })
      for (let second = 0; second < 150; second++) {
        const timestamp = first!.header.timestamp + second
        const block = { ...first!, header: { ...first!.header, number: second, timestamp } }
        learn(block)
        await confirm(block, signal)
      }
      expect(calls).toEqual(Array(times).fill('eth_call'))
    }
  })

  test('Karst, which leaves no mark that stays is asked for again when our execution differs from the chain', async () => {
    let node = nodeAt('jovian').ask
    const ask: AskNode = (...asked) => node(...asked)
    const { learn, confirm, reconsider, rulesOf } = createForkRules({ schedule: null, ask })
    for (const block of [first!, second!]) {
      learn(block)
      await confirm(block, signal)
    }
    node = nodeAt('karst').ask
    expect(rulesOf(second!.header).opFork).toBe('jovian')
    await reconsider(signal)
    expect(rulesOf(second!.header).opFork).toBe('karst')
    expect(rulesOf(first!.header).opFork).toBe('jovian')
  })

  test('Karst, which leaves no mark that stays stays Jovian while the node does not answer', async () => {
    const { learn, confirm, rulesOf } = createForkRules({ schedule: null, ask: silent })
    learn(first!)
    await confirm(first!, signal)
    expect(rulesOf(first!.header).opFork).toBe('jovian')
  })
})

describe('rules by a genesis file', () => {
  const block = blocksOf('jovian')[2]!

  test('rules by a genesis file are exceeded where a block shows a later fork than the file has', () => {
    const schedule = scheduleFromGenesis({ isthmusTime: 0 })
    const { learn, rulesOf } = createForkRules({ schedule, ask: silent })
    expect(rulesOf(block.header).opFork).toBe('isthmus')
    learn(block)
    expect(rulesOf(block.header).opFork).toBe('jovian')
  })

  test('rules by a genesis file say from when on a fork that is not known may change the execution', () => {
    const { timestamp } = block.header
    const schedule = scheduleFromGenesis({ karstTime: 0, lagoonTime: timestamp })
    const { unknownAt } = createForkRules({ schedule, ask: silent })
    expect(unknownAt({ ...block.header, timestamp: timestamp - 1 })).toBeNull()
    expect(unknownAt(block.header)).toContain('lagoon')
  })
})
