// While the database is away preconfirmations are answered as ever, and what happened meanwhile is saved when it is back.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestChain, signed, silentLog, type TestChain } from '../../devnet/chain/chain-for-tests.ts'
import { type DevnetServer, startServer } from '../../devnet/server.ts'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { type Wire, wireTo } from '../support/cut-off.ts'
import { databases } from '../support/databases.ts'
import { rpc } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let devnet: TestChain
let node: DevnetServer
let wire: Wire
let server: TestServer
let client: Client

beforeAll(async () => {
  devnet = createTestChain({ startMs: Date.now() })
  devnet.chain.seal()
  node = await startServer({ chain: devnet.chain, port: Number(await freePort()), log: silentLog })
  const place = await databases.find(({ engine }) => engine === 'postgres')!.place()
  const url = new URL(place.url!)
  wire = await wireTo({ host: url.hostname, port: Number(url.port) })
  url.hostname = '127.0.0.1'
  url.port = String(wire.port)
  server = await startTestServer({
    ROLES: 'indexer,api,rpc,relay',
    RPC_URL: `http://127.0.0.1:${node.port}`,
    FLASHBLOCKS_ENABLED: 'true',
    FLASHBLOCKS_URL: `ws://127.0.0.1:${node.port}/flashblocks`,
    FLASHBLOCKS_STALE_MS: '600000',
    DATABASE_URL: url.href,
  })
  client = createClient({ baseUrl: server.url, credentials: server.credentials })
  await until(status, ({ preconfirmations }) => preconfirmations?.feed.upstreams[0].isConnected === true)
}, 120_000)
afterAll(async () => {
  await server?.stop()
  await wire?.stop()
  await node?.stop()
})

async function status() {
  return (await fetch(`${server.url}/status`)).json()
}
function ask(method: string, ...params: unknown[]) {
  return rpc(`${server.url}/flashblocks`, method, ...params)
}

test('a database that goes away holds up no answer, and has all of it when it is back', async () => {
  wire.cut()
  const hash: Hex = await ask('eth_sendRawTransaction', bytesToHex(signed().raw))
  devnet.clock.move(1_000)
  devnet.chain.step()
  const receipt = await until(
    () => ask('eth_getTransactionReceipt', hash),
    (receipt) => receipt !== null,
  )
  expect(receipt).toMatchObject({ transactionHash: hash, status: '0x1' })
  const sealed = devnet.chain.seal()
  await until(
    () => ask('firstlight_transactionStatus', hash),
    ({ stage }) => stage === 'included',
  )
  const away = await until(status, ({ preconfirmationQuality }) => preconfirmationQuality.trouble !== null)
  expect(away.preconfirmationQuality).toMatchObject({ kept: 2, lost: 0 })
  wire.mend()
  const back = await until(
    status,
    ({ preconfirmationQuality: { unsaved, trouble } }) => unsaved === 0 && trouble === null,
  )
  expect(back.preconfirmationQuality.lost).toBe(0)
  const hour = () => client.preconfirmationQuality({ chainShortName: 'DEV' }).then(({ data }) => data[0]!)
  expect(await until(hour, ({ blockCount }) => blockCount === '1')).toMatchObject({ kept: '2', dropped: '0' })
  const [block] = (await client.preconfirmationBlock({ chainShortName: 'DEV', height: String(sealed.header.number) }))
    .data
  expect(block).toMatchObject({ blockHash: sealed.hash, verdict: 'kept', flashblocks: [{ txnCount: '2' }] })
}, 120_000)
