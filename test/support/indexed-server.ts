// A whole Firstlight beside a node, and the wait until it has indexed what the node has.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { devnetGenesis } from '../../src/app/devnet-part.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { rpc } from './devnet.ts'
import { freePort } from './free-port.ts'
import { startTestServer, type TestServer } from './server.ts'

const INDEX_TIMEOUT_MS = 90_000
const POLL_MS = 100

export type IndexedServer = TestServer & { client: Client }

/** Without a URL SQLite in the folder. */
type IndexPlace = { url: string | undefined; dataDir: string; ownRules?: boolean; indexTimeoutMs?: number }

export async function startIndexedServer(
  nodeUrl: string,
  { url, dataDir, ownRules, indexTimeoutMs = INDEX_TIMEOUT_MS }: IndexPlace,
  environment: Record<string, string> = {},
): Promise<IndexedServer> {
  const genesis = join(dataDir, 'genesis.json')
  writeFileSync(genesis, JSON.stringify({ alloc: devnetAlloc(ownRules) }))
  const server = await startTestServer(
    {
      ROLES: 'indexer,api,web',
      PORT: await freePort(),
      RPC_URL: nodeUrl,
      GENESIS: genesis,
      RATE_LIMIT_IP: '0',
      // Answers stay the same while a test reads them; test/indexer/foreign-tokens.test.ts compares tokens with their contracts.
      TOKEN_READS_PER_S: '0',
      // The simulated users go on when the chain stands still.
      POOL_READ_MS: '0',
      RATE_LIMIT_KEY: '0',
      ...(url !== undefined && { DATABASE_URL: url }),
      ...environment,
    },
    { dataDir },
  )
  await untilIndexed(server.url, Number(await rpc(nodeUrl, 'eth_blockNumber')), Date.now() + indexTimeoutMs)
  return { ...server, client: createClient({ baseUrl: server.url, credentials: server.credentials }) }
}

/** In the spelling of a genesis file. */
function devnetAlloc(ownRules = false) {
  return Object.fromEntries(
    devnetGenesis({ ownRules }).map(({ address, balance, hasCode }) => [
      address,
      { balance: `0x${balance.toString(16)}`, ...(hasCode && { code: '0x00' }) },
    ]),
  )
}

async function untilIndexed(url: string, height: number, giveUpMs: number): Promise<void> {
  for (;;) {
    const status = (await (await fetch(`${url}/status`)).json()) as {
      heights: { indexed: number | null; safe: number | null }
    }
    const { indexed, safe } = status.heights
    if (indexed !== null && indexed >= height && safe !== null) return
    if (Date.now() > giveUpMs) throw new Error(`not indexed in time: ${JSON.stringify(status)}`)
    await sleep(POLL_MS)
  }
}
