// Preconfirmations: from the frame of a flashblock to its answer by eth_getTransactionReceipt and by eth_call; then balanceOf at pending
// over HTTP, single and in batches of 100, per CPU-second of the answering process, alternating with anvil, with hardhat's node, and with a
// Firstlight that does more than JSON-RPC, so that the pending chain has a thread of its own. Aims: 0.7 times anvil single, 2 times in
// batches, 5 times hardhat.
import { existsSync } from 'node:fs'
import { callOf } from '../devnet/contracts/calldata.ts'
import { addressToHex } from '../src/chain/bytes/hex.ts'
import { WRAPPED_ETHER } from '../src/chain/rules/addresses.ts'
import { startStillDevnet } from '../test/support/devnet.ts'
import { startPendingServer } from '../test/support/pending-server.ts'
import { measureLatencies } from './pending/latency.ts'
import { ask, closeConnections, cpuMsOf, load, requestText } from './pending/load.ts'
import { startAnvil, startHardhat, type Target } from './pending/targets.ts'

const LATENCIES = 400
const ROUNDS = 5
const ROUND_MS = 1_500
const CONNECTIONS = 8
const BATCH = 100
const DIFFERENT_CALLS = 2_000
/** A server is as fast as it will be after about so many; nobody's compiler is measured. */
const WARM_REQUESTS = 20_000
const LONGEST_WARMING_MS = 15_000

if (!existsSync('/proc/self/stat')) throw new Error('the CPU time of other processes is read from /proc: Linux only')

const devnet = await startStillDevnet()
const servers = await Promise.all(
  ['rpc', 'rpc,relay'].map((roles) =>
    startPendingServer(
      { nodeUrl: devnet.url, feedUrl: devnet.feedUrl },
      { FLASHBLOCKS_STALE_MS: '600000', RATE_LIMIT_IP: '0', RPC_WORK_PER_S: '0', ROLES: roles },
    ),
  ),
)
for (const server of servers) {
  await server.until(({ preconfirmations }) => preconfirmations.feed?.upstreams[0]?.isConnected === true)
}
await ask(devnet.url, 'devnet_step')
for (const server of servers) await server.until(({ heights }) => heights.preconfirmed === 1)
const [own, twoThreads] = servers.map(
  (server): Target => ({
    name: 'firstlight in two threads (ROLES=rpc,relay)',
    url: `${server.url}/flashblocks`,
    pid: server.pid,
    stop: async () => void (await server.stop()),
  }),
) as [Target, Target]

const weth = addressToHex(WRAPPED_ETHER)
const { receiptMs, callMs } = await measureLatencies(devnet, own.url, WRAPPED_ETHER, LATENCIES)
console.log(`frame to eth_getTransactionReceipt: p50 ${at(receiptMs, 0.5)} ms, p99 ${at(receiptMs, 0.99)} ms`)
console.log(`frame to eth_call:                  p50 ${at(callMs, 0.5)} ms, p99 ${at(callMs, 0.99)} ms`)

const contract = { address: weth, code: await ask(devnet.url, 'eth_getCode', weth, 'latest') }
const peers = [await startAnvil(contract), await startHardhat(contract)].filter((target) => target !== null)
const others = [...peers, twoThreads]
function balanceOf(holder: bigint) {
  return [{ to: weth, data: callOf('WrappedEther', 'balanceOf', [addressToHex(holder)]) }, 'pending']
}
const params = balanceOf(0x1212n)
const single = requestText('eth_call', params)
const different = Array.from({ length: DIFFERENT_CALLS }, (_, i) => requestText('eth_call', balanceOf(BigInt(i))))
const batch = `[${Array.from({ length: BATCH }, (_, id) => requestText('eth_call', params, id)).join(',')}]`
try {
  const expected = await ask(own.url, 'eth_call', ...params)
  for (const target of others) {
    if ((await ask(target.url, 'eth_call', ...params)) !== expected) throw new Error(`${target.name} answers otherwise`)
  }
  await compare('one a request', [single], 1)
  await compare(`one a request, ${DIFFERENT_CALLS} holders in turn`, different, 1)
  await compare(`batches of ${BATCH}`, [batch], BATCH)
} finally {
  closeConnections()
  for (const target of [own, ...others]) await target.stop()
  await devnet.stop()
}

async function compare(name: string, bodies: readonly string[], calls: number): Promise<void> {
  const targets = [own, ...others]
  const rates = new Map(targets.map((target) => [target, [] as number[]]))
  for (const target of targets) await warm(target.url, bodies, WARM_REQUESTS / calls)
  // The servers alternate, so that a slow moment of the machine hits all alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of targets) {
      const before = cpuMsOf(target.pid)
      const count = await load(target.url, bodies, { connections: CONNECTIONS, ms: ROUND_MS })
      rates.get(target)!.push((1000 * count * calls) / (cpuMsOf(target.pid) - before))
    }
  }
  const ownRate = median(rates.get(own)!)
  console.log(`eth_call balanceOf at pending, ${name}: ${Math.round(ownRate)} a CPU-second`)
  for (const target of others) {
    const rate = median(rates.get(target)!)
    console.log(`  ${(ownRate / rate).toFixed(2)} times ${target.name}, ${Math.round(rate)} a CPU-second`)
  }
}

async function warm(url: string, bodies: readonly string[], times: number): Promise<void> {
  const endMs = performance.now() + LONGEST_WARMING_MS
  for (let count = 0; count < times && performance.now() < endMs; ) {
    count += await load(url, bodies, { connections: CONNECTIONS, ms: ROUND_MS / 5 })
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function at(values: readonly number[], share: number): string {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!.toFixed(1)
}
