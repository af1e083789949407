// A process that serves only JSON-RPC answers inline, in the thread that reads: without a worker and its deeper stack it answers the same.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Devnet } from '../../devnet/devnet.ts'
import { bytesToHex, toQuantity } from '../../src/chain/bytes/hex.ts'
import { assemble } from '../support/assemble.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'
import { signedPayment } from '../support/payments.ts'
import { type PendingServer, startPendingServer } from '../support/pending-server.ts'
import { startTestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** Of what is left a call may pass on 63 parts of 64: this lasts for the deepest. */
const ENOUGH_GAS = 10n ** 12n

let devnet: Devnet
let server: PendingServer
let url: string
beforeAll(async () => {
  devnet = await startStillDevnet()
  const urls = { nodeUrl: devnet.url, feedUrl: devnet.feedUrl }
  server = await startPendingServer(urls, {
    FLASHBLOCKS_STALE_MS: '600000',
    ROLES: 'rpc',
    RPC_GAS_CAP: String(ENOUGH_GAS),
  })
  url = `${server.url}/flashblocks`
  await server.until(({ preconfirmations }) => preconfirmations.feed?.upstreams[0]?.isConnected === true)
}, 90_000)
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

test('a process with only the role rpc answers from a flashblock, and sends a subscriber its event after the answer to the subscription', async () => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`)
  const received: { id?: number; result?: string; params?: { subscription: string; result: { hash: string } } }[] = []
  socket.on('message', (frame) => received.push(JSON.parse(String(frame))))
  await once(socket, 'open')
  const params = ['newFlashblockTransactions', true]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
  await until(
    async () => received.length,
    (count) => count === 1,
  )
  const { raw, hash } = await signedPayment(devnet.url)
  expect(await rpc(url, 'eth_sendRawTransaction', raw)).toBe(hash)
  await rpc(devnet.url, 'devnet_step')
  const receipt = await until(
    () => rpc(url, 'eth_getTransactionReceipt', hash),
    (answer) => answer !== null,
  )
  expect(Number(receipt.blockNumber)).toBe(Number(await rpc(devnet.url, 'eth_blockNumber')) + 1)
  await until(
    async () => received.some(({ params }) => params?.result.hash === hash),
    (isReceived) => isReceived,
  )
  expect(received[0]).toMatchObject({ id: 1, result: received[1]!.params!.subscription })
  socket.terminate()
}, 60_000)

const DEEPEST = 1_024
/** Calls itself with all its gas, as deep as that goes. */
const recursive = bytesToHex(assemble('PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS GAS CALL STOP'))

test('a process with only the role rpc traces calls as deep as they go', async () => {
  const to = `0x${'c0'.repeat(20)}`
  const call = { to, gas: toQuantity(ENOUGH_GAS) }
  const options = { tracer: 'callTracer', stateOverrides: { [to]: { code: recursive } } }
  const trace = await rpc(url, 'debug_traceCall', call, 'pending', options)
  let depth = 0
  for (let frame = trace; frame !== undefined; frame = frame.calls?.[0]) depth++
  // The outermost, and the last, which is refused.
  expect(depth).toBe(DEEPEST + 2)
  expect(await rpc(url, 'eth_call', call, 'pending', { [to]: { code: recursive } })).toBe('0x')
}, 60_000)

test('a process with only the role rpc refuses with the id of the request while the node does not answer, and ends on request', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  const waiting = await startTestServer({ RPC_URL: nobody, RPC_TYPE_CHECK: 'off', ROLES: 'rpc' })
  expect(await ask(waiting.url, 'eth_chainId')).toMatchObject({ id: 1, error: { code: -32000 } })
  expect(await waiting.stop()).toBe(0)
}, 60_000)
