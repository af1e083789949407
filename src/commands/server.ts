// One server from one configuration: database, keys, HTTP. `dev` and `start` both run this.
import type { AddressInfo } from 'node:net'
import type { GenesisAccount } from '../chain/genesis-alloc.ts'
import { createEtherscanFacade } from '../explorer/etherscan/facade.ts'
import { createExplorer } from '../explorer/explorer.ts'
import { createApp } from '../http/app.ts'
import { addDocsRoutes } from '../http/docs.ts'
import { addEtherscanRoutes } from '../http/etherscan.ts'
import { addOperatorRoutes } from '../http/operator.ts'
import { addExplorerRoutes } from '../http/routes.ts'
import { addRpcRoutes } from '../http/rpc.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createMetrics } from '../lib/metrics.ts'
import type { TokenListPlace } from '../market/token-list.ts'
import { createDispatch } from '../rpc/dispatch.ts'
import { createPreconfirmationRpc } from '../rpc/preconfirmation.ts'
import type { Database } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { openDatabase } from '../store/open.ts'
import { admissionOf, keyRingOf, pruneAccess, sharesPort } from './access.ts'
import { startApiProcesses } from './api-processes.ts'
import type { DevKey } from './data-dir.ts'
import { ensureDevKey } from './dev-key.ts'
import { startIngestPart } from './ingest-part.ts'
import { startMarketPart } from './market-part.ts'
import type { Config } from './options.ts'
import type { Running } from './run-until-signal.ts'
import { operatorView } from './status.ts'
import { buildWebIfStale, webDir } from './web-build.ts'

export type RunningServer = { url: string; devKey: DevKey | undefined }

export const startServer = async (options: {
  config: Config
  running: Running
  /** Make a development key and show it to this machine. */
  withDevKey: boolean
  /** Balances before the first block, where they are known without a file. */
  genesis?: readonly GenesisAccount[]
  /** Used where TOKEN_LIST is not set. */
  tokenList?: TokenListPlace
}): Promise<RunningServer> => {
  const { config, running } = options
  const { log, lifecycle } = running
  const database = await startDatabase(config, log, lifecycle)
  const reads = config.DATABASE_READ_URL ? await startReplica(config.DATABASE_READ_URL, log, lifecycle) : database
  const keyRing = keyRingOf(config, database)
  await keyRing.proveSeal()
  const devKey = options.withDevKey ? await ensureDevKey(config.DATA_DIR, keyRing) : undefined
  pruneAccess(database, lifecycle.signal, (error) => log.warn({ error }, 'pruning failed'))
  await buildWebIfStale()
  const ingest =
    config.RPC_URL && config.ROLES.includes('indexer')
      ? await startIngestPart({
          urls: config.RPC_URL,
          databaseUrl: config.DATABASE_URL,
          dataDir: config.DATA_DIR,
          startBlock: config.START_BLOCK,
          balanceSamples: config.BALANCE_SAMPLES,
          genesis: config.GENESIS ?? options.genesis,
          ...running,
        })
      : undefined
  if (ingest) {
    const tokenList = config.TOKEN_LIST ?? options.tokenList
    await startMarketPart({
      database,
      tokenList,
      priceSource: config.PRICE_SOURCE,
      nodeUrl: config.RPC_URL![0]!,
      log,
      lifecycle,
    })
  }

  const metrics = createMetrics()
  const app = createApp({
    log,
    metrics,
    trustedProxies: config.TRUSTED_PROXIES,
    maxConnections: config.MAX_CONNECTIONS,
  })
  const admission = admissionOf(config, database, keyRing)
  const chain = { shortName: config.CHAIN_SHORT_NAME, fullName: config.CHAIN_FULL_NAME }
  if (config.ROLES.includes('api')) {
    const explorer = {
      queries: reads,
      names: { ...chain, symbol: config.NATIVE_SYMBOL },
      challengePeriodS: config.CHALLENGE_PERIOD_S,
    }
    addEtherscanRoutes(app, { admission, answer: createEtherscanFacade(explorer), log })
    addExplorerRoutes(app, {
      admission,
      handlers: createExplorer(explorer),
      chainShortName: chain.shortName,
      segments: [...new Set(['chain', ...config.CHAIN_PATHS])],
    })
  }
  if (config.ROLES.includes('rpc')) {
    addRpcRoutes(app, { admission, dispatch: createDispatch(createPreconfirmationRpc()), log })
  }
  if (config.ROLES.includes('web')) addDocsRoutes(app, { chain, webDir, devKey })
  addOperatorRoutes(app, { metrics, view: operatorView({ config, database, ingest, stopping: lifecycle.signal }) })
  await lifecycle.start({
    name: 'http',
    start: async () =>
      void (await app.listen({ host: config.HOST, port: config.PORT, ...(sharesPort(config) && { reusePort: true }) })),
    stop: () => app.close(),
  })
  const { port } = app.server.address() as AddressInfo
  if (config.API_PROCESSES > 0) await startApiProcesses(config, port, running)
  return { url: urlOf(port, config.HOST), devKey }
}

const startDatabase = async (config: Config, log: Log, lifecycle: Lifecycle): Promise<Database> => {
  const database = await openDatabase({
    url: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    onIdleError: (error) => log.warn({ error }, 'the database dropped an idle connection'),
  })
  await lifecycle.start({
    name: 'database',
    start: async () => {
      for (const name of await migrate(database, Date.now())) log.info({ migration: name }, 'migrated')
    },
    stop: () => database.close(),
  })
  return database
}

/** Migrated by whoever writes to its primary. */
const startReplica = async (url: string, log: Log, lifecycle: Lifecycle): Promise<Database> => {
  const replica = await openDatabase({
    url,
    dataDir: '',
    onIdleError: (error) => log.warn({ error }, 'the replica dropped an idle connection'),
  })
  await lifecycle.start({ name: 'replica', start: () => {}, stop: () => replica.close() })
  return replica
}

const urlOf = (port: number, host: string): string => {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
