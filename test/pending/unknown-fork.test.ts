// A fork that this version does not know, through a whole server: the genesis file names it, and from its first block on nothing is
// executed here. The node answers for state instead, and every surface says since when.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { rpc, startLivelyDevnet } from '../support/devnet.ts'
import { type PendingServer, startPendingServer } from '../support/pending-server.ts'
import { until } from '../support/until.ts'

const SLOW = 180_000
/** Of the chain: time enough to see that the pending chain is executed before. */
const SECONDS_BEFORE_FORK = 60
let devnet: Devnet
let server: PendingServer
let folder: string
let forkS: number
beforeAll(async () => {
  devnet = await startLivelyDevnet()
  folder = mkdtempSync(join(tmpdir(), 'firstlight-unknown-fork-'))
  const { timestamp } = await rpc(devnet.url, 'eth_getBlockByNumber', 'latest', false)
  // Its blocks are a second apart by their times, and come four in a second.
  forkS = Number(timestamp) + SECONDS_BEFORE_FORK
  const known = ['regolith', 'canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian', 'karst']
  const config = { ...Object.fromEntries(known.map((fork) => [`${fork}Time`, 0])), lagoonTime: forkS }
  const genesis = join(folder, 'genesis.json')
  writeFileSync(genesis, JSON.stringify({ config: { chainId: 1_337_200, ...config }, alloc: {} }))
  server = await startPendingServer({ nodeUrl: devnet.url, feedUrl: devnet.feedUrl }, { GENESIS: genesis })
}, SLOW)
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test(
  'an unknown fork makes the pending chain step back: the node answers for state, and /status names the first block',
  async () => {
    const { preconfirmations } = await server.until(
      (status) => status.preconfirmations.reproduction.isSteppedBack,
      SLOW / 2,
    )
    const { first } = preconfirmations.reproduction
    expect(first).toMatchObject({ reason: 'the fork lagoon is active' })
    const blockAt = (height: number) => () => rpc(devnet.url, 'eth_getBlockByNumber', `0x${height.toString(16)}`, false)
    // It was pending when it was seen.
    const block = await until(blockAt(first!.height), (found) => found !== null)
    const parent = await blockAt(first!.height - 1)()
    expect([Number(block.timestamp) >= forkS, Number(parent.timestamp) < forkS]).toEqual([true, true])
    expect(await server.metric('firstlight_pending_stepped_back')).toBe(1)
    const url = `${server.url}/flashblocks`
    const account = developers[0]!.address
    expect(await rpc(url, 'eth_getBalance', account, 'pending')).toBe(
      await rpc(devnet.url, 'eth_getBalance', account, 'latest'),
    )
    expect(await rpc(url, 'eth_call', { to: account }, 'pending')).toBe('0x')
    expect(await (await fetch(`${server.url}/ready`)).json()).toMatchObject({ ready: true })
  },
  SLOW,
)
