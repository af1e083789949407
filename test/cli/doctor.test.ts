// `firstlight doctor` with a good feed and node, and with bad ones.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { type NodeProxy, startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { startLivelyDevnet } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
let devnet: Devnet
let otherDevnet: Devnet
let geth: NodeProxy
let dataDir: string
beforeAll(async () => {
  // At a block a second its time is the clock's.
  devnet = await startLivelyDevnet({ tps: 10, blockMs: 1_000, flashblockMs: 200 })
  otherDevnet = await startLivelyDevnet({ seed: 'another', chainId: 1338 })
  geth = await startProxy(devnet.url, {
    rewrite: (method, result) => (method === 'web3_clientVersion' ? 'Geth/v1.15.0' : result),
  })
  dataDir = mkdtempSync(join(tmpdir(), 'firstlight-doctor-'))
}, 120_000)
afterAll(async () => {
  geth?.stop()
  await devnet?.stop()
  await otherDevnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

type Finding = { name: string; state: string; what: string; advice?: string }

async function findings(environment: Record<string, string>): Promise<Map<string, Finding>> {
  const env = { ...process.env, DATA_DIR: dataDir, FLASHBLOCKS_ENABLED: 'true', PORT: await freePort(), ...environment }
  const printed = await new Promise<string>((resolve) =>
    // Fails where something it looks at fails; what it prints is what counts.
    execFile(process.execPath, [main, 'doctor', '--json'], { env, cwd: dataDir }, (_error, stdout) => resolve(stdout)),
  )
  return new Map((JSON.parse(printed) as Finding[]).map((finding) => [finding.name, finding]))
}

test('doctor reports format, rate and lead of a good feed', async () => {
  const found = await findings({ RPC_URL: devnet.url, FLASHBLOCKS_URL: devnet.feedUrl })
  expect(found.get('Chain node')).toMatchObject({ state: 'ok', what: expect.stringContaining('chain id 1337200') })
  expect(found.get('Node client')).toMatchObject({ state: 'ok' })
  const { state, what } = found.get('Feed')!
  expect(what).toMatch(
    /plain JSON, [\d.]+ flashblocks a second, receipts included, block hashes are correct; ahead of the node/,
  )
  expect(state).toBe('ok')
}, 120_000)

test('doctor finds a feed of another chain, and a client that is not reth', async () => {
  const found = await findings({ RPC_URL: geth.url, FLASHBLOCKS_URL: otherDevnet.feedUrl })
  expect(found.get('Feed')).toMatchObject({
    state: 'failed',
    what: expect.stringContaining('its parent block is unknown to the node'),
    advice: 'FLASHBLOCKS_URL and RPC_URL must be of the same chain',
  })
  expect(found.get('Node client')).toMatchObject({ state: 'failed', what: expect.stringContaining('"Geth/v1.15.0"') })
}, 120_000)

test('doctor finds a feed that is not there, and a URL that is no feed', async () => {
  const nowhere = `ws://127.0.0.1:${await freePort()}/flashblocks`
  const absent = await findings({ RPC_URL: devnet.url, FLASHBLOCKS_URL: nowhere })
  expect(absent.get('Feed')).toMatchObject({ state: 'failed', what: expect.stringContaining('ECONNREFUSED') })
  const silent = await findings({ RPC_URL: devnet.url, FLASHBLOCKS_URL: devnet.wsUrl })
  expect(silent.get('Feed')).toMatchObject({ state: 'failed', what: expect.stringContaining('no flashblock arrived') })
}, 120_000)
