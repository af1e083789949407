import { describe, expect, test } from 'vitest'
import { createTestChain } from '../../devnet/chain/chain-for-tests.ts'
import { createForkRules } from './fork-rules.ts'

function blocksOf(fork: 'isthmus' | 'jovian') {
  const { chain } = createTestChain({ fork })
  for (let i = 0; i < 2; i++) chain.seal()
  return [0, 1, 2].map((number) => {
    const { header, transactions } = chain.blockByNumber(number)!
    return { header, transactions: transactions.map(({ recovered }) => recovered) }
  })
}

describe('rules by the marks of blocks', () => {
  const [genesis, first, second] = blocksOf('isthmus')

  test('are of a flashblock what its base says, though the genesis block, which has no marks of OP, is told later', () => {
    const { learn, rulesOf } = createForkRules(null)
    learn(first!)
    learn(genesis!)
    expect(rulesOf(first!.header)).toMatchObject({ op: true, isthmus: true })
    expect(rulesOf(second!.header)).toMatchObject({ op: true, isthmus: true })
  })

  test('change with the block that changes them, whichever is told first', () => {
    const later = blocksOf('jovian')[2]!
    for (const order of [
      [first!, later],
      [later, first!],
    ]) {
      const { learn, rulesOf } = createForkRules(null)
      for (const block of order) learn(block)
      expect(rulesOf(first!.header).jovian).toBe(false)
      expect(rulesOf(later.header).jovian).toBe(true)
    }
  })

  test('stay those of the newest block that is known; the oldest are forgotten', () => {
    const { learn, rulesOf } = createForkRules(null)
    const later = blocksOf('jovian')[2]!
    for (let number = 1; number <= 300; number++) learn({ ...later, header: { ...later.header, number } })
    expect(rulesOf({ ...later.header, number: 5_000 }).jovian).toBe(true)
    expect(rulesOf({ ...later.header, number: 1 }).jovian).toBe(false)
  })
})
