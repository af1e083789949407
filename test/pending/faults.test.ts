// A whole server on a feed that goes wrong in every way the shared tool knows. The flashblocks are a devnet's own, recorded before their
// block is sealed, so that they fit the chain that the server follows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { signed } from '../../devnet/chain/chain-for-tests.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import type { FlashblockMessage } from '../../src/contract/flashblock.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { type FaultyFeed, hasFaultyFeed, startFaultyFeed } from '../support/faulty-feed.ts'
import { freePort } from '../support/free-port.ts'
import { type PendingServer, startPendingServer } from '../support/pending-server.ts'

const FLASHBLOCKS = 5
let devnet: Devnet
let server: PendingServer
let recorder: WebSocket
let port: string
let recorded: FlashblockMessage[] = []
let nonce = 0

beforeAll(async () => {
  if (!hasFaultyFeed()) return console.log('no ../shared/tools/checks: the feed with faults is not there')
  devnet = await startStillDevnet()
  await rpc(devnet.url, 'devnet_seal')
  port = await freePort()
  recorder = new WebSocket(devnet.feedUrl)
  recorder.on('message', (frame) => recorded.push(JSON.parse(String(frame)) as FlashblockMessage))
  server = await startPendingServer(urls(), { FLASHBLOCKS_STALE_MS: '600000' })
}, 240_000)
afterAll(async () => {
  recorder?.terminate()
  await server?.stop()
  await devnet?.stop()
})

function urls() {
  return { nodeUrl: devnet.url, feedUrl: `ws://127.0.0.1:${port}/flashblocks` }
}

/** The flashblocks of the next block, each with a transaction, while its parent is the head. */
async function nextSequence(): Promise<FlashblockMessage[]> {
  recorded = []
  for (let i = 0; i < FLASHBLOCKS; i++) {
    await rpc(devnet.url, 'eth_sendRawTransaction', bytesToHex(signed({ nonce: nonce++ }).raw))
    await rpc(devnet.url, 'devnet_step')
  }
  while (recorded.length < FLASHBLOCKS) await new Promise((resolve) => setTimeout(resolve, 5))
  return recorded
}

async function withFeed(use: (feed: FaultyFeed, sequence: FlashblockMessage[]) => Promise<void>): Promise<void> {
  const sequence = await nextSequence()
  const feed = await startFaultyFeed(port, sequence)
  try {
    await feed.untilConnected(1)
    await use(feed, sequence)
  } finally {
    await feed.stop()
    await rpc(devnet.url, 'devnet_seal')
    const height = sequence[0]!.metadata.block_number
    await server.until(({ heights }) => heights.latest === height)
  }
}

/** Everything that is served is what some flashblock of the sequence said; gives the index of the last. */
async function servedIndex(
  sequence: readonly FlashblockMessage[],
  { url }: PendingServer = server,
): Promise<number | null> {
  const block = await rpc(`${url}/flashblocks`, 'eth_getBlockByNumber', 'pending', false)
  expect(block).not.toBeNull()
  if (Number(block.number) < sequence[0]!.metadata.block_number) return null
  const index = sequence.findIndex(({ diff }) => diff.block_hash === block.hash)
  expect(index, `the hash ${block.hash} was never announced`).toBeGreaterThanOrEqual(0)
  const transactions = sequence.slice(0, index + 1).flatMap(({ diff }) => diff.transactions)
  expect(block.transactions.length).toBe(transactions.length)
  return index
}

const LAST = FLASHBLOCKS - 1
/** Null: nothing of the block can be believed, and `pending` is `latest`. */
const faults: Record<string, readonly (number | null)[]> = {
  none: [LAST],
  dup: [LAST],
  swap: [LAST],
  binary: [LAST],
  gap: [1],
  badJson: [1],
  truncated: [1],
  hugeMessage: [1],
  newPayloadId: [1],
  oldBlock: [1],
  wrongParent: [null],
  noBase: [null],
  // What was sent before the connection was there again is lost, or is not.
  reset: [1, LAST],
}

describe('a feed with faults', () => {
  test.each(Object.entries(faults))(
    '%s: the good beginning is served, and the next block is whole again',
    async (fault, expected) => {
      if (!hasFaultyFeed()) return
      await withFeed(async (feed, sequence) => {
        await feed.play(fault)
        await server.until(
          ({ preconfirmations: { flashblockIndex, preconfirmed, executorTrouble } }) =>
            executorTrouble === null &&
            expected.includes(preconfirmed === sequence[0]!.metadata.block_number ? flashblockIndex : null),
        )
        expect(expected).toContain(await servedIndex(sequence))
      })
      await withFeed(async (feed, sequence) => {
        await feed.play('none')
        const { preconfirmations } = await server.until(
          ({ preconfirmations: now }) => now.flashblockIndex === LAST && now.executorTrouble === null,
        )
        expect(preconfirmations).toMatchObject({ isStale: false, executorTrouble: null })
        expect(await servedIndex(sequence)).toBe(LAST)
      })
    },
    120_000,
  )

  test('stall: falls back to latest within the bound, and says so', async () => {
    if (!hasFaultyFeed()) return
    const second = await startPendingServer(urls())
    try {
      await withFeed(async (feed, sequence) => {
        await feed.untilConnected(2)
        await feed.play('stall', { waits: false })
        const { lags, preconfirmations } = await second.until(
          ({ preconfirmations: { advancedMs, isStale } }) => advancedMs !== null && isStale,
        )
        expect(lags.feedAgeMs).toBeGreaterThanOrEqual(2_000)
        expect(preconfirmations.preconfirmed).toBeNull()
        const { reasons } = (await (await fetch(`${second.url}/ready`)).json()) as { reasons: string[] }
        expect(reasons).toContainEqual(expect.stringMatching(/^the feed is (stale|not connected)/))
        expect(await servedIndex(sequence, second)).toBeNull()
        const answer = await fetch(`${second.url}/flashblocks`, {
          method: 'POST',
          body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":["pending"]}',
        })
        expect(Number(answer.headers.get('flashblocks-age-ms'))).toBeGreaterThanOrEqual(2_000)
      })
    } finally {
      await second.stop()
    }
  }, 120_000)

  test('a feed with faults counts every preconfirmation that it received as kept', async () => {
    if (!hasFaultyFeed()) return
    const { counts, lastBroken } = (await server.status()).preconfirmations
    expect(lastBroken).toBeNull()
    expect(counts.blocksKept).toBeGreaterThan(Object.keys(faults).length)
    expect(server.output()).not.toMatch(/"level":"error"/)
  })
})
