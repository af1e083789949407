// A node that dies, hangs, stands still or is replaced by one of another chain: /ready, /status, the metric and the pages say so, and
// everything recovers when the node is back.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { startLivelyDevnet, startStillDevnet } from '../support/devnet.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type NodeState, type SwitchableNode, startSwitchableNode } from '../support/switchable-node.ts'
import { until } from '../support/until.ts'

const SLOW = 120_000
let devnet: Devnet
let still: Devnet
let node: SwitchableNode
let server: TestServer

beforeAll(async () => {
  devnet = await startLivelyDevnet()
  still = await startStillDevnet({ chainId: 4_242 })
  node = await startSwitchableNode(devnet.url)
  server = await startTestServer({
    ROLES: 'indexer,api,web',
    RPC_URL: node.url,
    NODE_CHECK_MS: '100',
    NODE_SILENT_MS: '1000',
    NODE_STALE_MS: '4000',
  })
  await until(() => textAt('/ready'), isReady)
}, SLOW)
afterAll(async () => {
  await server?.stop()
  await node?.stop()
  await devnet?.stop()
  await still?.stop()
})

async function textAt(path: string): Promise<string> {
  return (await fetch(`${server.url}${path}`)).text()
}

function isReady(text: string): boolean {
  return JSON.parse(text).ready
}

const problems: { name: string; state: () => NodeState; reason: RegExp }[] = [
  { name: 'is dead', state: () => ({ type: 'dead' }), reason: /has not answered for \d+ s \(.*ECONN/ },
  { name: 'accepts connections and never answers', state: () => ({ type: 'hanging' }), reason: /has not answered for/ },
  {
    name: 'was replaced by one of another chain',
    state: () => ({ type: 'at', url: still.url }),
    reason: /serves chain 4242 instead of 1337200/,
  },
]

test.each(problems)(
  'a node that $name is seen everywhere, and recovers by itself',
  async ({ state, reason }) => {
    await node.set(state())
    const ready = JSON.parse(
      await until(
        () => textAt('/ready'),
        (text) => reason.test(text),
      ),
    )
    expect(ready.ready).toBe(false)
    const status = JSON.parse(await textAt('/status'))
    expect(status.nodes).toMatchObject([{ problem: expect.stringMatching(reason) }])
    expect(status.index.trouble).toMatch(reason)
    expect(await textAt('/metrics')).toContain('firstlight_node_up 0')
    const page = await textAt('/about')
    expect(page).toContain('class="notice"')
    await node.set({ type: 'at', url: devnet.url })
    await until(() => textAt('/ready'), isReady)
    expect(await textAt('/metrics')).toContain('firstlight_node_up 1')
    expect(await textAt('/about')).not.toContain('class="notice"')
  },
  SLOW,
)
