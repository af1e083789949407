// The devnet's chain seals blocks that differ from what their flashblocks announced.
import { beforeAll, expect, test } from 'vitest'
import type { Rewrite } from '../../devnet/chain/chain.ts'
import { createTestChain, signed, type TestChain } from '../../devnet/chain/chain-for-tests.ts'
import type { ChainBlock } from '../../devnet/chain/included-transaction.ts'
import { DEPOSIT } from '../chain/codec/transaction.ts'
import { rulesOfFork } from '../chain/rules/forks.ts'
import { feedMessageFrom } from '../contract/flashblock.ts'
import { readFlashblock } from '../upstream/feed/read-flashblock.ts'
import { snapshotOf } from './live-pending-chain.ts'
import {
  EMPTY_RESEQUENCED_CHAIN,
  type FeedOrChainEvent,
  type ResequencedChain,
  resequencedChainAfter,
} from './payload-for-tests.ts'

const rules = { rulesOf: () => rulesOfFork('isthmus'), staleMs: null }

let devnet: TestChain
let chain: ResequencedChain
function take(event: FeedOrChainEvent): void {
  chain = resequencedChainAfter(rules, chain, event)
}

beforeAll(() => {
  devnet = createTestChain()
  chain = EMPTY_RESEQUENCED_CHAIN
  take({ type: 'canonical', block: canonicalOf(devnet.chain.head()) })
  devnet.chain.on((event) => {
    if (event.type === 'head') for (const block of event.added) take({ type: 'canonical', block: canonicalOf(block) })
    if (event.type !== 'flashblock') return
    const message = feedMessageFrom(JSON.parse(JSON.stringify(event.message)))
    const flashblock = message.type === 'flashblock' ? readFlashblock(message.flashblock) : { unreadable: message.type }
    if ('unreadable' in flashblock) throw new Error(flashblock.unreadable)
    take({ type: 'flashblock', flashblock, receivedMs: devnet.clock.nowMs() })
  })
})

function canonicalOf({ hash, header, transactions }: ChainBlock) {
  return {
    hash,
    header,
    transactions: transactions.map(({ recovered }) => recovered),
    receipts: transactions,
  }
}

const nonces = [0, 0]
function send(from: number, value = 1n) {
  const answer = devnet.chain.pool.add(signed({ from, nonce: nonces[from]!++, value }).raw)
  if (answer.type === 'refused') throw new Error(answer.message)
  return answer.hash
}

test.each<[string, Rewrite, readonly string[]]>([
  ['contains what was announced', (transactions) => transactions, []],
  ['drops a transaction', (transactions) => transactions.slice(0, -1), ['dropped']],
  [
    'changes the order',
    (transactions) => [
      ...transactions.filter(({ transaction }) => transaction.type === DEPOSIT),
      ...transactions.filter(({ transaction }) => transaction.type !== DEPOSIT).toReversed(),
    ],
    ['moved', 'moved'],
  ],
])('reports when a block %s, and serves nothing of what did not become canonical', (_, rewrite, types) => {
  devnet.clock.move(1_000)
  const sent = [send(0), send(1)]
  devnet.chain.step()
  const announced = snapshotOf(chain).tip!
  expect(sent.map((hash) => snapshotOf(chain).transaction(hash)?.block)).toEqual([announced, announced])
  devnet.chain.contradictNext(rewrite)
  devnet.chain.seal()
  expect(chain.settlements.at(-1)!.differences.map(({ type }) => type)).toEqual(types)
  const snapshot = snapshotOf(chain)
  expect([snapshot.tip, ...sent.map((hash) => snapshot.transaction(hash))]).toEqual([null, null, null])
  expect(snapshot.blockByHash(announced.hash)?.hash).toBe(types.length === 0 ? announced.hash : undefined)
  devnet.clock.move(1_000)
  devnet.chain.step()
  expect(snapshotOf(chain).tip?.header.parentHash).toBe(devnet.chain.head().hash)
  devnet.chain.seal()
})
