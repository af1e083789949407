// What lists show of a transaction before its block is there is what the index shows of it afterwards.
import { expect, test } from 'vitest'
import { createTestChain, developer, send, silentLog, startTraffic } from '../../devnet/chain/chain-for-tests.ts'
import { startServer } from '../../devnet/server.ts'
import { rulesOfFork } from '../../src/chain/rules/forks.ts'
import { feedMessageFrom } from '../../src/contract/flashblock.ts'
import { transactionRows } from '../../src/indexer/derive/transaction-rows.ts'
import {
  EMPTY_RESEQUENCED_CHAIN,
  type FeedOrChainEvent,
  resequencedChainAfter,
} from '../../src/pending/payload-for-tests.ts'
import { createLedger } from '../../src/preconfirmations/ledger.ts'
import type { PendingTransactionRow } from '../../src/preconfirmations/pending-row.ts'
import { indexOf } from '../../src/store/schema/position.ts'
import { readFlashblock } from '../../src/upstream/feed/read-flashblock.ts'
import { createNode } from '../../src/upstream/node/node.ts'
import { freePort } from '../support/free-port.ts'

const BLOCKS = 8
const ACTIONS_A_FLASHBLOCK = 15

test('a preconfirmed transaction reads as the indexed one will', async () => {
  const devnet = createTestChain({ startMs: Date.now() })
  const traffic = await startTraffic(devnet)
  const server = await startServer({ chain: devnet.chain, port: Number(await freePort()), log: silentLog })
  const node = createNode({ urls: [`http://127.0.0.1:${server.port}`], log: silentLog })
  try {
    const account = createLedger()
    const rows = new Map<string, PendingTransactionRow>()
    account.on((events) => {
      for (const event of events) if (event.type === 'pending') for (const row of event.rows) rows.set(row.hash, row)
    })
    let chain = EMPTY_RESEQUENCED_CHAIN
    const take = (event: FeedOrChainEvent): void => {
      chain = resequencedChainAfter({ rulesOf: () => rulesOfFork('isthmus'), staleMs: null }, chain, event)
      account.take({ type: 'chain', chain, atMs: 0 })
    }
    const head = devnet.chain.head().header.number
    take({ type: 'canonical', block: (await node.block(head))! })
    devnet.chain.on((event) => {
      if (event.type !== 'flashblock') return
      const message = feedMessageFrom(JSON.parse(JSON.stringify(event.message)))
      const flashblock = message.type === 'flashblock' ? readFlashblock(message.flashblock) : { unreadable: '' }
      if ('unreadable' in flashblock) throw new Error(flashblock.unreadable)
      take({ type: 'flashblock', flashblock, receivedMs: 0 })
    })
    const nonce = Number(devnet.chain.pool.nextNonce(developer(0)))
    send(devnet.chain, { nonce, to: null, value: 0n, data: Uint8Array.of(0), gas: 100_000n })
    for (let height = head + 1; height <= head + BLOCKS; height++) {
      for (let i = 0; i < 2; i++) {
        traffic.act(ACTIONS_A_FLASHBLOCK)
        devnet.chain.step()
      }
      devnet.clock.move(1_000)
      devnet.chain.seal()
      const block = (await node.block(height))!
      for (const { pos, input: _, error: __, unknownFields: ___, ...indexed } of transactionRows(block)) {
        expect(rows.get(indexed.hash)).toMatchObject({ ...indexed, position: indexOf(pos), block: { height } })
      }
      take({ type: 'canonical', block })
    }
    const types = new Set([...rows.values()].map(({ type }) => type))
    expect(rows.size).toBeGreaterThan(BLOCKS * ACTIONS_A_FLASHBLOCK)
    expect([...types]).toEqual(expect.arrayContaining([0, 2, 126]))
    expect([...rows.values()].some(({ status }) => status === 0)).toBe(true)
    expect([...rows.values()].some(({ contractAddress }) => contractAddress !== null)).toBe(true)
  } finally {
    node.close()
    await server.stop()
  }
}, 120_000)
