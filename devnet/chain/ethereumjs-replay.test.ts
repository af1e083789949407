import { expect, test } from 'vitest'
import { DEPOSIT } from '../../src/chain/codec/transaction.ts'
import { createTestChain, startTraffic } from './chain-for-tests.ts'
import { createEthereumjsReplay } from './ethereumjs-replay-for-tests.ts'

const BLOCKS = 120

test.each(['isthmus', 'karst'] as const)(
  'another EVM comes to the state root of every block of %s',
  async (fork) => {
    const testChain = createTestChain({ fork })
    const { chain } = testChain
    const traffic = await startTraffic(testChain)
    while (chain.head().header.number < BLOCKS) {
      traffic.act(1)
      chain.step()
      testChain.clock.move(200)
    }
    const replay = await createEthereumjsReplay(fork, 1_337_200, (number) => chain.hashOf(number)!)
    for (let number = 1; number <= BLOCKS; number++) {
      const block = chain.blockByNumber(number)!
      const { stateRoot, outcomes } = await replay.run(block)
      const ours = block.transactions.filter(({ recovered }) => recovered.transaction.type !== DEPOSIT)
      expect(outcomes).toEqual(
        ours.map(({ gasUsed, receipt }) => ({ gasUsed, status: receipt.status, logs: receipt.logs.length })),
      )
      expect(stateRoot, `state root of block ${number}`).toBe(block.header.stateRoot)
    }
  },
  300_000,
)
