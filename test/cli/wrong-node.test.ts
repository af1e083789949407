// A node that turns out to be the wrong one while the service runs: its chain was wiped, or it is a client that cannot be used. The process
// ends with the code of a wrong setting, so that a supervisor does not start it again and again, and says what to do.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { type NodeProxy, startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { startLivelyDevnet } from '../support/devnet.ts'
import { type FirstlightProcess, startFirstlight } from '../support/firstlight-process.ts'
import { freePort } from '../support/free-port.ts'
import { startSwitchableNode } from '../support/switchable-node.ts'
import { until } from '../support/until.ts'

const SLOW = 180_000
const WRONG_SETTING = 78
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

let devnet: Devnet
let wiped: Devnet
let dataDir: string
beforeAll(async () => {
  devnet = await startLivelyDevnet()
  // The same chain id, another first block.
  wiped = await startLivelyDevnet({ seed: 'another' })
  dataDir = mkdtempSync(join(tmpdir(), 'firstlight-wrong-node-'))
}, SLOW)
afterAll(async () => {
  await devnet?.stop()
  await wiped?.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

/** Its code, and what it printed; for a command that ends by itself. */
function ended(words: readonly string[], environment: Record<string, string>) {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', ...environment }
  return new Promise<{ code: unknown; output: string }>((resolve) =>
    execFile(process.execPath, [main, ...words], { env, cwd: dataDir }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  )
}

function exitOf(server: FirstlightProcess): Promise<number | null> {
  return until(
    async () => server.exitCode(),
    (code) => code !== null,
  )
}

test(
  'a chain that was wiped ends the process with code 78 and names resync, at once and at every start; doctor finds it',
  async () => {
    const node = await startSwitchableNode(devnet.url)
    const settings = { RPC_URL: node.url, ROLES: 'indexer,api', FLASHBLOCKS_ENABLED: 'false' }
    const port = await freePort()
    const server = await startFirstlight(['start'], { ...settings, PORT: port }, { dataDir, keepData: true })
    await until(
      async () => (await fetch(`http://127.0.0.1:${port}/status`)).json() as Promise<{ heights: { indexed: number } }>,
      ({ heights }) => heights.indexed > 2,
    )
    await node.set({ type: 'at', url: wiped.url })
    expect(await exitOf(server)).toBe(WRONG_SETTING)
    expect(server.output()).toMatch(/firstlight: .*firstlight resync/)
    expect(await ended(['start'], settings)).toEqual({
      code: WRONG_SETTING,
      output: expect.stringMatching(/firstlight: .*firstlight resync/),
    })
    const { output } = await ended(['doctor', '--json'], settings)
    const findings = JSON.parse(output) as { name: string; state: string; what: string; advice: string }[]
    expect(findings.find(({ name }) => name === 'Indexed chain')).toMatchObject({
      state: 'failed',
      what: expect.stringContaining('wiped'),
      advice: expect.stringContaining('firstlight resync'),
    })
    await node.stop()
  },
  SLOW,
)

test(
  'a geth that comes up late behind Flashblocks is refused as one at start is',
  async () => {
    const geth: NodeProxy = await startProxy(devnet.url, {
      rewrite: (method, result) => (method === 'web3_clientVersion' ? 'Geth/v1.15.0' : result),
    })
    const node = await startSwitchableNode(geth.url)
    const settings = { RPC_URL: node.url, FLASHBLOCKS_ENABLED: 'true', FLASHBLOCKS_URL: devnet.feedUrl }
    const refusal = /firstlight: .*"Geth\/v1\.15\.0".*Flashblocks need reth/
    expect(await ended(['start'], settings)).toEqual({
      code: WRONG_SETTING,
      output: expect.stringMatching(refusal),
    })
    await node.set({ type: 'dead' })
    const server = await startFirstlight(['start'], { ...settings, PORT: '0', ROLES: 'rpc,relay' })
    await node.set({ type: 'at', url: geth.url })
    expect(await exitOf(server)).toBe(WRONG_SETTING)
    expect(server.output()).toMatch(refusal)
    await server.stop()
    await node.stop()
    geth.stop()
  },
  SLOW,
)
