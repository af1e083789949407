// What is preconfirmed is what comes: every field of block, receipts, balances, nonces, code, storage and calls. The long form is
// scripts/soak-equality.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { startStillDevnet } from '../support/devnet.ts'
import { compareWithSealed } from '../support/equality.ts'
import { type PendingServer, startPendingServer } from '../support/pending-server.ts'

let devnet: Devnet
let server: PendingServer
beforeAll(async () => {
  devnet = await startStillDevnet({ tps: 100, blockMs: 500, flashblockMs: 100 })
  const urls = { nodeUrl: devnet.url, feedUrl: devnet.feedUrl }
  server = await startPendingServer(urls, { FLASHBLOCKS_STALE_MS: '600000', ROLES: 'rpc' })
  await server.until(({ preconfirmations }) => preconfirmations.feed?.upstreams[0]?.isConnected === true)
}, 90_000)
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const BLOCKS = 20

test('JSON-RPC says of pending blocks what the node says once they are sealed', async () => {
  const urls = { url: `${server.url}/flashblocks`, nodeUrl: devnet.url }
  const report = await compareWithSealed(urls, { blocks: BLOCKS, flashblocks: 5, flashblockMs: 100 })
  console.log(`${report.blocks} blocks with ${report.transactions} transactions, ${report.answers} answers compared`)
  expect(report.differences).toEqual([])
  expect(report.blocks).toBeGreaterThan(BLOCKS / 2)
  expect(report.transactions).toBeGreaterThan(10 * report.blocks)
}, 120_000)
