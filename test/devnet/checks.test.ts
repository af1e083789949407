// The black-box checks that lie beside the repository, run against a devnet with traffic.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { checksDir, installedChecks, runCheck } from '../support/checks.ts'
import { rpc, startLivelyDevnet } from '../support/devnet.ts'

if (!checksDir) console.log('no checks beside the repository: the devnet is not checked with them')

const ENOUGH_BLOCKS = 50
const TPS = 40

describe.runIf(checksDir)('the checks of a node', () => {
  let devnet: Devnet
  let checks: string
  beforeAll(async () => {
    checks = await installedChecks()
    devnet = await startLivelyDevnet({ blockMs: 150, tps: TPS })
    while (Number(await rpc(devnet.url, 'eth_blockNumber')) < ENOUGH_BLOCKS)
      await new Promise((r) => setTimeout(r, 200))
  }, 60_000)
  afterAll(() => devnet.stop())

  test('the checks of a node find nothing wrong with 50 blocks', async () => {
    const args = ['--url', devnet.url, '--last', String(ENOUGH_BLOCKS), '--op', '--openrpc', `${checks}openrpc-op.json`]
    const output = await runCheck(`${checks}check-live.mjs`, ...args)
    expect(output).toMatch(/LIVE \d{3,} passed, 0 failed/)
  }, 120_000)

  test('the checks of a node find nothing wrong with its JSON-RPC', async () => {
    expect(await runCheck(`${checks}jsonrpc2.mjs`, '--url', devnet.url)).toMatch(/JSONRPC2 36 passed, 0 failed/)
  }, 120_000)
})
