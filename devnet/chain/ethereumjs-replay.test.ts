import { expect, test } from 'vitest'
import { DEPOSIT } from '../../src/chain/codec/transaction.ts'
import { createTestChain, startTraffic } from './chain-for-tests.ts'
import { createEthereumjsReplay } from './ethereumjs-replay-for-tests.ts'

const BLOCKS = 200

test('another EVM comes to the state root of every block', async () => {
  const testChain = createTestChain()
  const { chain } = testChain
  const traffic = await startTraffic(testChain)
  while (chain.head().header.number < BLOCKS) {
    traffic.act(1)
    chain.step()
    testChain.clock.move(200)
  }
  const replay = await createEthereumjsReplay(1_337_200, (number) => chain.hashOf(number)!)
  for (let number = 1; number <= BLOCKS; number++) {
    const block = chain.blockByNumber(number)!
    const { stateRoot, outcomes } = await replay.run(block)
    const ours = block.transactions.filter(({ recovered }) => recovered.transaction.type !== DEPOSIT)
    expect(outcomes).toEqual(
      ours.map(({ gasUsed, receipt }) => ({ gasUsed, status: receipt.status, logs: receipt.logs.length })),
    )
    expect(stateRoot, `state root of block ${number}`).toBe(block.header.stateRoot)
  }
}, 300_000)
