// A whole Firstlight with a browser before it, on a chain that only the test moves.
import { createTestChain, signed, silentLog } from '../../devnet/chain/chain-for-tests.ts'
import { startServer } from '../../devnet/server.ts'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { createClient } from '../../src/client/client.ts'
import { testBrowser } from './browser.ts'
import { rpc } from './devnet.ts'
import { freePort } from './free-port.ts'
import { startTestServer } from './server.ts'
import { until } from './until.ts'

export type SteppedSite = Awaited<ReturnType<typeof startSteppedSite>>

const chainShortName = 'DEV'

export async function startSteppedSite() {
  const devnet = createTestChain({ startMs: Date.now() })
  devnet.chain.seal()
  const node = await startServer({ chain: devnet.chain, port: Number(await freePort()), log: silentLog })
  const [server, browser] = await Promise.all([
    startTestServer({
      ROLES: 'indexer,api,rpc,relay,web',
      RPC_URL: `http://127.0.0.1:${node.port}`,
      FLASHBLOCKS_ENABLED: 'true',
      FLASHBLOCKS_URL: `ws://127.0.0.1:${node.port}/flashblocks`,
      FLASHBLOCKS_STALE_MS: '600000',
      RATE_LIMIT_IP: '0',
    }),
    testBrowser(),
  ])
  const { url } = server
  const client = createClient({ baseUrl: url, credentials: server.credentials })
  const status = async () => (await fetch(`${url}/status`)).json()
  await until(status, ({ preconfirmations }) => preconfirmations?.feed.upstreams[0].isConnected === true)
  await until(status, ({ heights }) => heights.indexed === devnet.chain.head().header.number)
  const nonces = [0, 0]
  return {
    url,
    chain: devnet.chain,
    browser,
    payment: (from: 0 | 1) => signed({ from, nonce: nonces[from]!++ }),
    /** Through Firstlight, so that the ledger records when it was seen. */
    send: (raw: Uint8Array): Promise<Hex> => rpc(`${url}/flashblocks`, 'eth_sendRawTransaction', bytesToHex(raw)),
    step() {
      devnet.clock.move(1_000)
      devnet.chain.step()
    },
    preconfirmationOf: async (txId: Hex) => (await client.preconfirmationTransaction({ chainShortName, txId })).data[0],
    /** Of a page, without its tags. */
    textOf: async (path: string) =>
      (await (await fetch(url + path, { headers: { accept: 'text/html' } })).text()).replace(/<[^>]*>/g, ' '),
    async stop() {
      await browser.close()
      await server.stop()
      await node.stop()
    },
  }
}
