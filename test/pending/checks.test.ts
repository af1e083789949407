// The black-box checks that lie beside the repository, run against this service: before a chain of Ethereum's own tests without a feed,
// and before a devnet in the middle of a block.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { checksDir, ethereumOpenRpc, executionApis, installedChecks, runCheck } from '../support/checks.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'
import { startPendingServer } from '../support/pending-server.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

if (checksDir === null) console.log('no checks beside the repository: the JSON-RPC is not checked with them')

function sleep(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function untilAnswering(url: string): Promise<void> {
  while (
    await ask(url, 'eth_blockNumber').then(
      ({ error }) => error !== undefined,
      () => true,
    )
  )
    await sleep(100)
}

describe.runIf(checksDir !== null)('before the chain of the execution APIs, without a feed', () => {
  let upstream: ChildProcess
  let upstreamUrl: string
  let server: TestServer
  let url: string
  let folder: string
  beforeAll(async () => {
    folder = await installedChecks()
    const port = await freePort()
    upstreamUrl = `http://127.0.0.1:${port}`
    upstream = spawn(process.execPath, [`${folder}upstream/hive-upstream.mjs`, executionApis, port], {
      stdio: 'ignore',
    })
    await untilAnswering(upstreamUrl)
    server = await startTestServer({ RPC_URL: upstreamUrl, RPC_TYPE: 'other', ROLES: 'rpc' })
    url = `${server.url}/flashblocks`
    await untilAnswering(url)
  }, 180_000)
  afterAll(async () => {
    await server?.stop()
    upstream?.kill()
  })

  const scoreOf = async (at: string): Promise<Record<string, string>> => {
    const file = `${folder}score-${Math.random().toString(36).slice(2)}.json`
    const common = ['--tests', executionApis, '--openrpc', ethereumOpenRpc, '--e20', '--json', file]
    await runCheck(`${folder}run-io.mjs`, '--url', at, ...common)
    const { rows } = JSON.parse(readFileSync(file, 'utf8')) as { rows: { name: string; verdict: string }[] }
    rmSync(file)
    return Object.fromEntries(rows.map(({ name, verdict }) => [name, verdict]))
  }

  test('the server scores in every case of E20 as the node itself does', async () => {
    const own = await scoreOf(upstreamUrl)
    expect(Object.keys(own).length).toBeGreaterThan(50)
    expect(await scoreOf(url)).toEqual(own)
  }, 60_000)

  test('the server follows JSON-RPC 2.0', async () => {
    expect(await runCheck(`${folder}jsonrpc2.mjs`, '--url', url)).toContain('JSONRPC2 36 passed, 0 failed')
  }, 60_000)

  test('the server answers as the node does', async () => {
    const output = await runCheck(`${folder}compare.mjs`, '--a', url, '--b', upstreamUrl, '--last', '3')
    expect(output).toMatch(/COMPARE \d{3,} passed, 0 failed/)
  }, 60_000)
})

describe.runIf(checksDir !== null)('before a devnet that stands in the middle of a block', () => {
  let devnet: Devnet
  let server: TestServer
  let url: string
  let folder: string
  beforeAll(async () => {
    folder = await installedChecks()
    devnet = await startStillDevnet({ tps: 60 })
    server = await startPendingServer(
      { nodeUrl: devnet.url, feedUrl: devnet.feedUrl },
      { FLASHBLOCKS_STALE_MS: '600000' },
    )
    url = `${server.url}/flashblocks`
    await untilAnswering(url)
    for (let step = 0; step < 5 * BLOCKS + 3; step++) {
      await rpc(devnet.url, step % 5 === 4 ? 'devnet_seal' : 'devnet_step')
      await sleep(50)
    }
    const height = await rpc(devnet.url, 'eth_blockNumber')
    while (
      (await rpc(url, 'eth_blockNumber')) !== height ||
      (await rpc(url, 'eth_getBlockByNumber', 'pending', false)).hash !==
        (await rpc(devnet.url, 'eth_getBlockByNumber', 'pending', false)).hash
    )
      await sleep(50)
  }, 180_000)
  afterAll(async () => {
    await server?.stop()
    await devnet?.stop()
  })

  const BLOCKS = 12

  test('the server passes every live check at pending', async () => {
    expect((await rpc(url, 'eth_getBlockByNumber', 'pending', false)).transactions.length).toBeGreaterThan(3)
    const which = ['--url', url, '--last', String(BLOCKS), '--tag', 'pending', '--op']
    const output = await runCheck(`${folder}check-live.mjs`, ...which, '--openrpc', `${folder}openrpc-op.json`)
    expect(output).toMatch(/LIVE \d{3,} passed, 0 failed/)
  }, 120_000)

  test('the server answers as the node does', async () => {
    const output = await runCheck(`${folder}compare.mjs`, '--a', url, '--b', devnet.url, '--last', '4')
    expect(output).toMatch(/COMPARE \d{3,} passed, 0 failed/)
  }, 120_000)

  test('the server follows JSON-RPC 2.0', async () => {
    expect(await runCheck(`${folder}jsonrpc2.mjs`, '--url', url)).toContain('JSONRPC2 36 passed, 0 failed')
  }, 60_000)
})
