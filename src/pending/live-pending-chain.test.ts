// The whole path over real sockets: the devnet's feed and its JSON-RPC in, views out, compared with what the node says once the blocks
// are canonical.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { signed } from '../../devnet/chain/chain-for-tests.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { rpc, startStillDevnet } from '../../test/support/devnet.ts'
import { bytesToHex, type Hex } from '../chain/bytes/hex.ts'
import { rulesOfFork } from '../chain/rules/forks.ts'
import { createLog } from '../lib/log.ts'
import { createFeed } from '../upstream/feed/feed.ts'
import { createNode, type Node } from '../upstream/node/node.ts'
import { type Bend, startProxy } from '../upstream/node/proxy-for-tests.ts'
import { expectCanonicalState, expectCanonicalView } from './canonical-state-for-tests.ts'
import { createExecutor, type PendingState } from './executor.ts'
import { createLivePendingChain, type LivePendingChain } from './live-pending-chain.ts'
import type { AskNode } from './node-state.ts'
import { resequencedInto } from './payload-for-tests.ts'
import type { PendingBlock } from './pending-block.ts'
import { type SealedBlock, sealedBlockFrom } from './sealed-block.ts'

const log = createLog({ level: 'silent', pretty: false })
const rules = { rulesOf: () => rulesOfFork('karst'), staleMs: null }

let stopping: AbortController
const cleanups: (() => unknown)[] = []
beforeEach(() => {
  stopping = new AbortController()
})
afterEach(async () => {
  stopping.abort()
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

type Following = {
  readonly pendingChain: LivePendingChain
  readonly node: Node
  /** Batches and calls that the executor sent. */
  readonly asked: { batches: number; calls: number }
  /** Takes the canonical blocks up to the head. */
  catchUp(): Promise<void>
}

type FollowOptions = { leavesOut?: boolean; bend?: Bend; losesFrom?: number }

async function follow(devnet: Devnet, options: FollowOptions = {}): Promise<Following> {
  const proxy = options.bend === undefined ? null : await startProxy(devnet.url, options.bend)
  if (proxy !== null) cleanups.push(() => proxy.stop())
  const node = createNode({ urls: [devnet.url], log })
  const stateNode = proxy === null ? node : createNode({ urls: [proxy.url], log, giveUpAfterMs: 500 })
  cleanups.push(
    () => node.close(),
    () => stateNode.close(),
  )
  const asked = { batches: 0, calls: 0 }
  const ask: AskNode = (calls, signal) => {
    asked.batches++
    asked.calls += calls.length
    return stateNode.batch(calls, signal)
  }
  const { signal } = stopping
  const sealed = new Map<Hex, SealedBlock | undefined>()
  const executor = createExecutor({
    ask,
    rulesOf: rules.rulesOf,
    chainId: 1_337_200n,
    sealed: (hash) => sealed.get(hash),
  })
  const pendingChain = createLivePendingChain({ rules, executor, signal, stateTimeoutMs: 60_000 })
  const head = await node.head()
  pendingChain.take({ type: 'canonical', block: (await node.block(head.height))! })
  let next = head.height + 1
  const feed = createFeed({ urls: [devnet.feedUrl], log })
  const receiving = (async () => {
    const receive = resequencedInto(pendingChain)
    for await (const event of feed.events(signal)) {
      if (event.type === 'end') continue
      const { flashblock, receivedMs } = event
      if (flashblock.index >= (options.losesFrom ?? Number.POSITIVE_INFINITY)) continue
      const passedOn = options.leavesOut === true ? { ...flashblock, receipts: null, balances: new Map() } : flashblock
      receive({ flashblock: passedOn, receivedMs })
    }
  })()
  cleanups.unshift(() => receiving)
  while (!feed.status().upstreams[0]!.isConnected) await sleep(5)
  return {
    pendingChain,
    node,
    asked,
    async catchUp() {
      const { height } = await node.head()
      for (; next <= height; next++) {
        const block = (await node.block(next))!
        const whole = sealedBlockFrom(block)
        if (!('unknownType' in whole)) sealed.set(block.hash, whole)
        pendingChain.take({ type: 'canonical', block })
      }
    },
  }
}

function sleep(ms: number) {
  return new Promise<void>((resolve) => setTimeout(resolve, ms))
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5)
}

const BLOCKS = 15
const FLASHBLOCKS_A_BLOCK = 5

test.each([
  ['from the feed', false],
  ['from execution, where the feed leaves them out', true],
])(
  'everything at pending is what the canonical block gives afterwards, with receipts %s',
  async (_, leavesOut) => {
    // The test seals by hand, so that every block is received to its end before it is sealed, however busy the machine.
    const devnet = await startStillDevnet({ tps: 40, blockMs: 500, flashblockMs: 100 })
    cleanups.push(() => devnet.stop())
    const { pendingChain, node, asked, catchUp } = await follow(devnet, { leavesOut })
    const problems: string[] = []
    pendingChain.on(({ problem, snapshot }) => {
      if (problem !== null && snapshot.tip !== null) problems.push(problem)
    })
    const last: { state: PendingState; block: PendingBlock }[] = []
    while (last.length < BLOCKS) {
      for (let index = 0; index < FLASHBLOCKS_A_BLOCK; index++) {
        // The first of a block seals the one before.
        await rpc(devnet.url, 'devnet_step')
        if (index === 0) await catchUp()
        await sleep(50)
      }
      const { hash } = await rpc(devnet.url, 'eth_getBlockByNumber', 'pending', false)
      await until(() => pendingChain.view().states.at(-1)?.block.hash === hash)
      const { states, snapshot } = pendingChain.view()
      last.push({ state: states.at(-1)!, block: snapshot.tip! })
    }
    await rpc(devnet.url, 'devnet_step')
    await catchUp()
    await pendingChain.settled()
    let values = 0
    let transactions = 0
    for (const { state, block } of last) {
      const sealed = (await node.block(block.header.number))!
      expect(sealed.hash).toBe(block.hash)
      values += await expectCanonicalState(node, state, sealed.hash)
      transactions += block.transactions.length
      expect(state.receipts).toEqual(sealed.receipts.map(({ receipt }) => receipt))
      await expectCanonicalView(devnet.url, block)
    }
    console.log(
      `${transactions} transactions, ${values} values equal; ${asked.calls} calls in ${asked.batches} batches`,
    )
    expect(problems).toEqual([])
    expect(transactions).toBeGreaterThan(2 * BLOCKS)
    for (const { differences } of pendingChain.view().chain.settlements) expect(differences).toEqual([])
  },
  240_000,
)

test('the executor reuses the state that it knows while the canonical chain agrees, and asks only for what is new', async () => {
  const devnet = await startStillDevnet()
  cleanups.push(() => devnet.stop())
  const { pendingChain, asked, catchUp } = await follow(devnet)
  const calls: number[] = []
  for (let block = 1; block <= 4; block++) {
    const before = asked.calls
    for (let i = 0; i < 3; i++) await rpc(devnet.url, 'devnet_step')
    await until(() => pendingChain.view().states.at(-1)?.block.index === 2)
    await rpc(devnet.url, 'devnet_seal')
    await catchUp()
    await pendingChain.settled()
    calls.push(asked.calls - before)
  }
  expect(calls[0]).toBeGreaterThan(20)
  // Every block writes to three new slots in the rings of EIP-4788 and EIP-2935.
  expect(calls.slice(1)).toEqual([3, 3, 3])
})

test('the executor runs the end of a block that its flashblocks lacked, instead of forgetting what it knows', async () => {
  const devnet = await startStillDevnet()
  cleanups.push(() => devnet.stop())
  const { pendingChain, node, asked, catchUp } = await follow(devnet, { losesFrom: 1 })
  const calls: number[] = []
  for (let block = 1; block <= 4; block++) {
    const before = asked.calls
    await rpc(devnet.url, 'devnet_step')
    await rpc(devnet.url, 'eth_sendRawTransaction', bytesToHex(signed({ from: 0, nonce: block - 1, value: 1n }).raw))
    await rpc(devnet.url, 'devnet_step')
    await until(() => pendingChain.view().states.length === 1)
    await rpc(devnet.url, 'devnet_seal')
    await catchUp()
    await pendingChain.settled()
    calls.push(asked.calls - before)
  }
  // Only the slots in the rings of EIP-4788 and EIP-2935 are new: everything else is known, though no block was announced to its end.
  expect(calls.slice(1)).toEqual([3, 3, 3])
  await rpc(devnet.url, 'devnet_step')
  await until(() => pendingChain.view().states.length === 1)
  const [state] = pendingChain.view().states
  await rpc(devnet.url, 'devnet_seal')
  expect(await expectCanonicalState(node, state!, state!.block.hash)).toBeGreaterThan(0)
})

test('the executor begins again after a reorg', async () => {
  const devnet = await startStillDevnet()
  cleanups.push(() => devnet.stop())
  const { pendingChain, node, catchUp } = await follow(devnet)
  for (let i = 0; i < 3; i++) await rpc(devnet.url, 'devnet_seal')
  await catchUp()
  await rpc(devnet.url, 'devnet_step')
  await until(() => pendingChain.view().states.length === 1)
  await rpc(devnet.url, 'devnet_reorg', '0x2')
  for (const height of [2, 3]) pendingChain.take({ type: 'canonical', block: (await node.block(height))! })
  await pendingChain.settled()
  expect(pendingChain.view()).toMatchObject({ states: [], snapshot: { tip: null } })
  await rpc(devnet.url, 'devnet_step')
  await until(() => pendingChain.view().states.length === 1)
  const [state] = pendingChain.view().states
  await rpc(devnet.url, 'devnet_seal')
  expect(await expectCanonicalState(node, state!, state!.block.hash)).toBeGreaterThan(0)
})

test('the pending chain has no state while the node lies about it, says so, and recovers', async () => {
  const devnet = await startStillDevnet()
  cleanups.push(() => devnet.stop())
  let isLying = true
  const bend: Bend = {
    rewrite: (method, result) => (isLying && method === 'eth_getBalance' ? '0x7' : result),
  }
  const { pendingChain, catchUp } = await follow(devnet, { bend })
  await rpc(devnet.url, 'devnet_step')
  await until(() => pendingChain.view().problem !== null)
  expect(pendingChain.view()).toMatchObject({ states: [], problem: expect.stringContaining('balance of') })
  expect(pendingChain.view().snapshot.tip).not.toBeNull()
  isLying = false
  await rpc(devnet.url, 'devnet_seal')
  await catchUp()
  await rpc(devnet.url, 'devnet_step')
  await until(() => pendingChain.view().states.length === 1)
  expect(pendingChain.view().problem).toBeNull()
})

test('the pending chain answers from the feed alone while the node does not answer', async () => {
  const devnet = await startStillDevnet()
  cleanups.push(() => devnet.stop())
  const bend: Bend = {
    refuse: (method) => (method === 'eth_getBalance' ? { code: -32_000, message: 'gone' } : undefined),
  }
  const { pendingChain } = await follow(devnet, { bend })
  await rpc(devnet.url, 'devnet_step')
  await until(() => pendingChain.view().problem !== null && pendingChain.view().snapshot.tip !== null)
  const { snapshot, problem } = pendingChain.view()
  expect(problem).toContain('gone')
  expect(snapshot.tip!.transactions[0]!.outcome).not.toBeNull()
})
