// A sequence of a real chain: every header must hash to what the feed said, and the last one is the block that was sealed.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rulesOfFork } from '../chain/rules/forks.ts'
import { feedMessageFrom } from '../contract/flashblock.ts'
import { readFlashblock } from '../upstream/feed/read-flashblock.ts'
import { EMPTY_RESEQUENCED_CHAIN, groundAt, resequencedChainAfter } from './payload-for-tests.ts'

const RECORDING = new URL('../../../shared/fixtures/flashblocks/unichain-sepolia-35535698.json', import.meta.url)
const isRecorded = existsSync(RECORDING)
if (!isRecorded)
  console.log('The recorded flashblocks are not beside the repository: the test that reads them is skipped.')

test.runIf(isRecorded)('the pending chain gives the recorded hash at every index', () => {
  const rules = { rulesOf: () => rulesOfFork('isthmus'), staleMs: null }
  const recorded: unknown[] = JSON.parse(readFileSync(RECORDING, 'utf8'))
  const flashblocks = recorded.map((json) => {
    const message = feedMessageFrom(json)
    const flashblock = message.type === 'flashblock' ? readFlashblock(message.flashblock) : { unreadable: message.type }
    if ('unreadable' in flashblock) throw new Error(flashblock.unreadable)
    return flashblock
  })
  const [{ base, height }] = flashblocks as [(typeof flashblocks)[number]]
  const parent = { ...groundAt(height - 1), hash: base!.parentHash }
  let chain = resequencedChainAfter(rules, EMPTY_RESEQUENCED_CHAIN, { type: 'canonical', block: parent })
  for (const flashblock of flashblocks) {
    chain = resequencedChainAfter(rules, chain, { type: 'flashblock', flashblock, receivedMs: 0 })
    expect(chain.blocks).toMatchObject([{ index: flashblock.index, hash: flashblock.totals.blockHash, isProven: true }])
  }
  expect(chain.blocks[0]!.transactions).toHaveLength(flashblocks.flatMap(({ transactions }) => transactions).length)
})
