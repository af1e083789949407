// One server from one configuration: database, keys, HTTP. `dev` and `start` both run this.
import type { AddressInfo } from 'node:net'
import type { GenesisAccount } from '../chain/rules/genesis-alloc.ts'
import { createEtherscanFacade } from '../compat/etherscan/facade.ts'
import { createSourcify } from '../compat/sourcify/sourcify.ts'
import { createExplorer } from '../explorer/explorer.ts'
import { addEtherscanRoutes, pluginPaths } from '../http/api/etherscan.ts'
import { addOperatorRoutes } from '../http/api/operator.ts'
import { addExplorerRoutes } from '../http/api/routes.ts'
import { addSourcifyRoutes } from '../http/api/sourcify.ts'
import { createApp } from '../http/app.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createMetrics } from '../lib/metrics.ts'
import type { TokenListSource } from '../market/token-list.ts'
import type { Database } from '../store/engine/database.ts'
import { migrate } from '../store/engine/migrate.ts'
import { openDatabase } from '../store/engine/open.ts'
import { createL1, type L1 } from '../upstream/l1/l1.ts'
import type { Verification } from '../verification/jobs/verification.ts'
import { admissionOf, keyRingOf, sharesPort, startKeyUsage, startPruning } from './access.ts'
import { startApiProcesses } from './api-processes.ts'
import { type DevKey, operatorTokenOf } from './data-dir.ts'
import { ensureDevKey } from './dev-key.ts'
import { startIngestPart } from './indexer-part.ts'
import { startLedgerPart } from './ledger-part.ts'
import { startMarketPart } from './market-part.ts'
import type { Config } from './options.ts'
import { startPendingPart } from './pending-part.ts'
import { addPendingRoutes } from './pending-routes.ts'
import type { Running } from './run-until-signal.ts'
import { operatorView } from './status.ts'
import { startVerification } from './verifier-part.ts'
import { buildWebIfStale } from './web-build.ts'
import { startWebPart } from './web-part.ts'

export type RunningServer = {
  url: string
  devKey: DevKey | undefined
  verification: Verification | undefined
  hasTokenList: boolean
}

export async function startServer(options: {
  config: Config
  running: Running
  /** Make a development key and show it to this machine. */
  withDevKey: boolean
  /** Balances before the first block, where they are known without a file. */
  genesis?: readonly GenesisAccount[]
  /** Used where TOKEN_LIST is not set. */
  tokenList?: TokenListSource
  /** What API processes beside this one must be told. */
  moreFlags?: readonly string[]
}): Promise<RunningServer> {
  const { config, running } = options
  const { log, lifecycle } = running
  const database = await startDatabase(config, log, lifecycle)
  const reads = config.DATABASE_READ_URL ? await startReplica(config.DATABASE_READ_URL, log, lifecycle) : database
  const keyRing = keyRingOf(config, database)
  await keyRing.proveSeal()
  const devKey = options.withDevKey ? await ensureDevKey(config.DATA_DIR, keyRing) : undefined
  await startPruning(database, lifecycle, (error) => log.warn({ error }, 'pruning failed'))
  const usage = await startKeyUsage(database, lifecycle, (error) => log.warn({ error }, 'key usage was not stored'))
  if (config.ROLES.includes('web')) await buildWebIfStale()
  const metrics = createMetrics()
  const ingest =
    config.RPC_URL && config.ROLES.includes('indexer')
      ? await startIngestPart({
          urls: config.RPC_URL,
          databaseUrl: config.DATABASE_URL,
          dataDir: config.DATA_DIR,
          startBlock: config.START_BLOCK,
          balanceSamples: config.BALANCE_SAMPLES,
          genesis: config.GENESIS ?? options.genesis,
          metrics,
          ...running,
        })
      : undefined
  // Before what this thread does itself: other threads start meanwhile.
  const hasPending = config.RPC_URL !== undefined && (config.ROLES.includes('rpc') || config.ROLES.includes('relay'))
  const ledger = await startLedgerPart({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    keepHours: config.PRECONFIRMATION_KEEP_HOURS,
    saves: hasPending && config.ROLES.includes('indexer'),
    metrics,
    log,
    lifecycle,
  })
  const pending = hasPending ? await startPendingPart(config, metrics, running, ledger.take) : undefined
  const tokenList = config.TOKEN_LIST ?? options.tokenList
  if (ingest) {
    await startMarketPart({
      database,
      tokenList,
      priceSource: config.PRICE_SOURCE,
      nodeUrl: config.RPC_URL![0]!,
      log,
      lifecycle,
    })
  }

  const app = createApp({
    log,
    metrics,
    trustedProxies: config.TRUSTED_PROXIES,
    maxConnections: config.MAX_CONNECTIONS,
    notFoundPage: (...refused) => web?.notFound(...refused),
  })
  const admission = admissionOf(config, database, keyRing, usage)
  const chain = { shortName: config.CHAIN_SHORT_NAME, fullName: config.CHAIN_FULL_NAME }
  const verification = config.RPC_URL ? await startVerification({ config, database, log, lifecycle }) : undefined
  const explorer = {
    verification,
    ledger: ledger.mirror,
    queries: reads,
    names: { ...chain, symbol: config.NATIVE_SYMBOL },
    challengePeriodS: config.CHALLENGE_PERIOD_S,
    l1: config.L1_RPC_URL ? await startL1(config.L1_RPC_URL, log, lifecycle) : undefined,
  }
  const handlers = createExplorer(explorer)
  const segments = [...new Set(['chain', ...config.CHAIN_PATHS])]
  if (config.ROLES.includes('api')) {
    addEtherscanRoutes(app, {
      admission,
      answer: createEtherscanFacade(explorer),
      log,
      paths: pluginPaths(segments, chain.shortName),
      isVerifyingOpen: !config.VERIFY_KEYS_REQUIRED,
    })
    if (verification && !config.VERIFY_KEYS_REQUIRED) {
      addSourcifyRoutes(app, { admission, sourcify: createSourcify(verification), log })
    }
    addExplorerRoutes(app, {
      admission,
      handlers,
      chainShortName: chain.shortName,
      segments,
    })
  }
  if (pending) addPendingRoutes(app, pending, { config, keyRing, onKeyUse: usage.count, metrics, log })
  const web = config.ROLES.includes('web')
    ? await startWebPart(app, {
        explorer,
        handlers,
        admission,
        metrics,
        log,
        lifecycle,
        devKey,
        keyRing,
        usage,
        operatorToken: operatorTokenOf(config.DATA_DIR, config.OPERATOR_TOKEN),
        isVerifyingOpen: !config.VERIFY_KEYS_REQUIRED,
        rpc: pending?.rpc,
      })
    : undefined
  addOperatorRoutes(app, {
    metrics,
    view: operatorView({ config, database, ingest, pending, ledger, stopping: lifecycle.signal }),
  })
  await lifecycle.start({
    name: 'http',
    start: async () =>
      void (await app.listen({ host: config.HOST, port: config.PORT, ...(sharesPort(config) && { reusePort: true }) })),
    stop: () => app.close(),
  })
  const { port } = app.server.address() as AddressInfo
  if (config.API_PROCESSES > 0) {
    await startApiProcesses(config, { port, moreFlags: options.moreFlags ?? [] }, running)
  }
  return { url: urlOf(port, config.HOST), devKey, verification, hasTokenList: tokenList !== undefined }
}

async function startDatabase(config: Config, log: Log, lifecycle: Lifecycle): Promise<Database> {
  let database: Database | undefined
  await lifecycle.start({
    name: 'database',
    start: async () => {
      database = await openDatabase({
        url: config.DATABASE_URL,
        dataDir: config.DATA_DIR,
        onIdleError: (error) => log.warn({ error }, 'the database dropped an idle connection'),
      })
      for (const name of await migrate(database, Date.now())) log.info({ migration: name }, 'migrated')
    },
    stop: () => database?.close(),
  })
  return database!
}

/** Migrated by whoever writes to its primary. */
async function startReplica(url: string, log: Log, lifecycle: Lifecycle): Promise<Database> {
  let replica: Database | undefined
  await lifecycle.start({
    name: 'replica',
    start: async () => {
      replica = await openDatabase({
        url,
        dataDir: '',
        onIdleError: (error) => log.warn({ error }, 'the replica dropped an idle connection'),
      })
    },
    stop: () => replica?.close(),
  })
  return replica!
}

async function startL1(url: string, log: Log, lifecycle: Lifecycle): Promise<L1> {
  const l1 = createL1({ url, log })
  await lifecycle.start({ name: 'L1', start: () => {}, stop: () => l1.close() })
  return l1
}

function urlOf(port: number, host: string): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
