// Flashblocks of a chain that our execution cannot reproduce: a transaction type that nobody knows, and a token without code. The pending
// chain steps back and says so; the node answers for state.
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Devnet } from '../../devnet/devnet.ts'
import { simulatedUsers } from '../../devnet/genesis/accounts.ts'
import { rpc, startLivelyDevnet } from '../support/devnet.ts'
import { CODELESS_TOKEN, PAYER } from '../support/foreign-chain.ts'
import { type PendingServer, startPendingServer } from '../support/pending-server.ts'
import { until } from '../support/until.ts'

const SLOW = 120_000

let devnet: Devnet
let server: PendingServer
beforeAll(async () => {
  devnet = await startLivelyDevnet({ ownRules: true, blockMs: 1_000, flashblockMs: 200, tps: 20 })
  server = await startPendingServer({ nodeUrl: devnet.url, feedUrl: devnet.feedUrl })
}, SLOW)
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

test(
  'the pending chain steps back from a chain that it cannot reproduce, and says so everywhere',
  async () => {
    const { preconfirmations } = await server.until(
      ({ preconfirmations: { reproduction } }) => reproduction.isSteppedBack,
    )
    expect(preconfirmations.reproduction.first).toMatchObject({
      height: expect.any(Number),
      reason: expect.stringMatching(/transaction type 0x7d is unknown|receipts root|gas/),
    })
    const ready = await fetch(`${server.url}/ready`)
    const { warnings = [] } = (await ready.json()) as { warnings?: string[] }
    expect(warnings).toContainEqual(expect.stringMatching(/^block \d+ cannot be reproduced \(.+\): the node answers/))
    expect(await server.metric('firstlight_pending_stepped_back')).toBe(1)
    expect(await server.metric('firstlight_unreproduced_blocks_total')).toBeGreaterThan(0)
  },
  SLOW,
)

test(
  'state of a chain that cannot be reproduced is the state that its node has',
  async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })
    const call = [{ to: CODELESS_TOKEN, data }, 'pending'] as const
    const ours = await until(
      () => rpc(server.url, 'eth_call', ...call),
      (answer) => BigInt(answer) > 0n,
    )
    expect(ours).toBe(await rpc(devnet.url, 'eth_call', ...call))
    // Both are asked again until no block came in between.
    const paid = async () => {
      const of = (url: string) => rpc(url, 'eth_getBalance', PAYER, 'latest')
      return [await of(devnet.url), await of(server.url), await of(devnet.url)]
    }
    const [before, between, after] = await until(paid, ([first, , last]) => first === last)
    expect([before, after]).toContain(between)
    const nonces = async () => {
      const of = (url: string) => rpc(url, 'eth_getTransactionCount', simulatedUsers[0]!.address, 'latest')
      return [await of(devnet.url), await of(server.url)]
    }
    const [theirs, same] = await nonces()
    expect(same).toBe(theirs)
  },
  SLOW,
)

test(
  'flashblocks with transactions of an unknown type are relayed and counted, and /ready says why they are not served',
  async () => {
    const warnings = async () =>
      ((await (await fetch(`${server.url}/ready`)).json()) as { warnings?: string[] }).warnings ?? []
    await until(warnings, (all) => all.some((each) => each.includes('a type that is not known')))
    expect(await server.metric('firstlight_feed_undecoded_total')).toBeGreaterThan(0)
    expect(await server.metric('firstlight_feed_unreadable_total')).toBe(0)
    expect(await relayedOfType('0x7d')).toMatchObject({ diff: { transactions: expect.any(Array) } })
  },
  SLOW,
)

/** The first flashblock of our own feed with a transaction of this type. */
function relayedOfType(type: string): Promise<unknown> {
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/flashblocks`)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (frame) => {
      const message = JSON.parse(String(frame)) as { diff?: { transactions: string[] } }
      if (!message.diff?.transactions.some((raw) => raw.startsWith(type))) return
      socket.close()
      resolve(message)
    })
  })
}
