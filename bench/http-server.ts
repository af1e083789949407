// The serving side of bench/http.bench.ts, in a process of its own so that its CPU time can be measured.
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { admissionOf, keyRingOf } from '../src/app/access-part.ts'
import { devDefaults } from '../src/app/devnet-options.ts'
import { options } from '../src/app/options.ts'
import { createExplorer } from '../src/explorer/explorer.ts'
import { successBytes } from '../src/http/admission/envelope.ts'
import { createResponseCache } from '../src/http/api/response-cache.ts'
import { addExplorerRoutes } from '../src/http/api/routes.ts'
import { createApp } from '../src/http/app.ts'
import { loadConfig } from '../src/lib/config/config.ts'
import { createLog } from '../src/lib/log.ts'
import { createMetrics } from '../src/lib/metrics.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { openDatabase } from '../src/store/engine/open.ts'
import { createChainReaders } from '../src/store/read/chain-reader.ts'
import { blockPage } from './block-page.ts'

/** `cached`: the response is in the cache; `fresh`: it is built for each request. */
export type Kind = 'bare' | 'cached' | 'fresh'
export type BenchServer = { port: number; credentials: { key: string; secret: string; passphrase: string } }

async function firstlight(kind: 'cached' | 'fresh'): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-bench-'))
  const { settings: config } = loadConfig(options, {
    flags: {},
    environment: { DATA_DIR: dataDir, RATE_LIMIT_KEY: '1000000', RATE_LIMIT_IP: '1000000' },
    dotenv: {},
    command: devDefaults,
    readFile: () => '',
  })
  const database = await openDatabase({ url: undefined, dataDir, onIdleError: () => {} })
  await migrate(database, Date.now())
  const keyRing = keyRingOf(config, database)
  const credentials = await keyRing.issue({ name: 'bench', passphrase: 'bench-passphrase' })
  const app = createApp({
    log: createLog({ level: 'info', pretty: false }),
    metrics: createMetrics(),
    trustedProxies: [],
    maxConnections: 1_000,
  })
  const page = blockPage()
  const blockList =
    kind === 'cached'
      ? Object.assign(() => page, { begin: async () => ({ chainVersion: '1', answer: async () => page }) })
      : () => page
  const explorer = createExplorer({ readers: createChainReaders(database), names: NAMES, challengePeriodS: 0 })
  addExplorerRoutes(app, {
    admission: admissionOf(config, database, keyRing),
    handlers: { ...explorer, blockList },
    responses: createResponseCache(),
    chainShortName: 'DEV',
    segments: ['chain'],
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: (app.server.address() as AddressInfo).port, credentials }
}

const NAMES = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }

async function bare(): Promise<BenchServer> {
  const body = successBytes(blockPage())
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.setHeader('content-length', body.length)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, credentials: { key: 'k', secret: 's', passphrase: 'p' } }
}

const kind = process.argv[2] as Kind
process.send!(await (kind === 'bare' ? bare() : firstlight(kind)))
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!((user + system) / 1000)
})
