// One server from one configuration: the list of its parts. A part runs where its role is set; it is stopped after all parts below it.
import type { GenesisAccount } from '../chain/rules/genesis.ts'
import { createExplorer } from '../explorer/explorer.ts'
import { addGuardedFigureRoutes, addHealthRoutes, createOperatorApp } from '../http/api/operator.ts'
import { createResponseCache } from '../http/api/response-cache.ts'
import { createApp } from '../http/app.ts'
import { addPlainDocsRoutes } from '../http/pages/api-viewer.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import { addCacheMetrics } from '../lib/cache/cache-figures.ts'
import { clockWatchPart } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createMetrics } from '../lib/metrics.ts'
import type { TokenListSource } from '../market/token-list.ts'
import type { LedgerEvent } from '../preconfirmations/ledger.ts'
import { createChainReaders } from '../store/read/chain-reader.ts'
import { createL1, type L1 } from '../upstream/l1/l1.ts'
import type { Verification } from '../verification/jobs/verification.ts'
import { accessPart, admissionOf, localAddressLimit } from './access-part.ts'
import { addApiRoutes } from './api-routes.ts'
import type { Running, ServerContext } from './context.ts'
import { type DevKey, ensureDataDir } from './data-dir.ts'
import { databasePart } from './database-part.ts'
import { databaseWatchPart, storageNotices } from './database-watch.ts'
import { apiProcessesPart, httpPart } from './http-part.ts'
import { indexerPart } from './indexer-part.ts'
import { ledgerPart } from './ledger-part.ts'
import { marketPart } from './market-part.ts'
import { nodeBalancesPart } from './node-balances-part.ts'
import { nodeAbilities } from './node-check.ts'
import { nodePart } from './node-part.ts'
import type { Config, Role } from './options.ts'
import { addPendingRoutes, pendingPart, tracePending } from './pending-part.ts'
import { poolPart } from './pool-part.ts'
import { preconfirmationNotes } from './preconfirmation-notes.ts'
import { replicaPart } from './replica-part.ts'
import { operatorView } from './status.ts'
import { solidityReleasesOf, verificationPart, verifierPart } from './verification-part.ts'
import { buildWebIfStale } from './web-build.ts'
import { createWebPages, webPart } from './web-part.ts'

export type ServerOptions = {
  readonly config: Config
  readonly running: Running
  /** Creates a development key and shows it to this machine. */
  readonly withDevKey: boolean
  /** Balances before the first block, where they are known without a file. */
  readonly genesis?: readonly GenesisAccount[]
  /** Used where TOKEN_LIST is not set. */
  readonly tokenList?: TokenListSource
  /** Flags for further API processes, for settings that are neither on the command line nor in the environment. */
  readonly moreFlags?: readonly string[]
}

export type RunningServer = {
  readonly url: string
  /** Where `/status` and `/metrics` are. */
  readonly operatorUrl: string
  readonly devKey: DevKey | undefined
  readonly verification: Verification | undefined
  readonly hasTokenList: boolean
  /** What the node can do; undefined while it does not answer. */
  readonly nodeAbilities: string | undefined
  /** What compilers run in; undefined without the role `verifier`. */
  readonly compilerSandbox: string | undefined
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, running, withDevKey, moreFlags = [] } = options
  const { start, signal: stopping } = running.lifecycle
  const { log, fail, fetchEnvironment } = running
  const metrics = createMetrics()
  const server: ServerContext = { config, log, metrics, fail, fetchEnvironment }
  const has = (role: Role): boolean => config.ROLES.includes(role)
  const hasNode = config.RPC_URL !== undefined
  const hasPending = hasNode && (has('rpc') || has('relay'))
  const tokenList = config.TOKEN_LIST ?? options.tokenList

  // Storage
  ensureDataDir(config.DATA_DIR)
  const database = await start(databasePart(config, log))
  const databaseWatch = await start(databaseWatchPart(server, database))
  const clock = await start(clockWatchPart(server))
  const replica = config.DATABASE_READ_URL ? await start(replicaPart(server, database)) : undefined
  const access = await start(accessPart({ config, database, log, withDevKey }))
  if (has('web')) await buildWebIfStale()
  const node = hasNode ? await start(nodePart(server)) : undefined
  const abilities = hasNode ? nodeAbilities(config.RPC_URL![0]!) : undefined

  // Threads come first, so that they load while this thread goes on.
  const indexer =
    hasNode && has('indexer')
      ? await start(indexerPart(server, { genesis: options.genesis, databaseWatch }))
      : undefined
  const ledger = await start(ledgerPart(server, { saves: hasPending && has('indexer') }))
  const pool = hasNode && (has('api') || has('web')) ? await start(poolPart(server)) : undefined
  const takeEvents = (events: readonly LedgerEvent[]): void => {
    ledger.take(events)
    pool?.take(events)
  }
  const pending = hasPending ? await start(pendingPart(server, takeEvents)) : undefined
  if (indexer) await start(marketPart({ config, database, tokenList, log }))

  // Answers
  const verifier = hasNode && has('verifier') ? await start(verifierPart(server, database)) : undefined
  const verification = hasNode ? await start(verificationPart(server, { database, verifier })) : undefined
  const l1 = config.L1_RPC_URL ? await start(l1Part(config.L1_RPC_URL, log)) : undefined
  const balances = hasNode ? await start(nodeBalancesPart(config.RPC_URL!, { database, log })) : undefined
  const readers = createChainReaders(replica?.reads ?? database)
  const responses = createResponseCache()
  addCacheMetrics(metrics, { chain: readers.figures, responses: responses.figures })
  const explorer = {
    verification,
    ledger: ledger.mirror,
    pool,
    tracePending: pending && tracePending(pending.rpc),
    readers,
    names: { shortName: config.CHAIN_SHORT_NAME, fullName: config.CHAIN_FULL_NAME, symbol: config.NATIVE_SYMBOL },
    challengePeriodS: config.CHALLENGE_PERIOD_S,
    l1,
    balances,
    solidityReleases: has('web') ? solidityReleasesOf(server) : undefined,
  }
  const handlers = createExplorer(explorer)

  // HTTP
  const admission = admissionOf(config, database, access.keyRing, access.usage)
  const webOptions = {
    ...server,
    explorer,
    handlers,
    admission,
    rpc: pending?.rpc,
    notices: () => [...(node?.problems() ?? []), ...storageNotices(databaseWatch, indexer?.progress().storage ?? null)],
    nodeAbilities: () => node?.abilities() ?? [],
    preconfirmationNotes: () => preconfirmationNotes(pending?.status()),
  }
  const web = has('web') ? await createWebPages(webOptions) : undefined
  const app = createApp({
    log,
    metrics,
    trustedProxies: config.TRUSTED_PROXIES,
    maxConnections: config.MAX_CONNECTIONS,
    sendBudgetBytes: config.SEND_BUDGET_MB === undefined ? undefined : config.SEND_BUDGET_MB * 1_000_000,
    bodyBudgetBytes: config.BODY_BUDGET_MB === undefined ? undefined : config.BODY_BUDGET_MB * 1_000_000,
    ...(web && { notFoundPage: web.pages.notFound }),
  })
  if (has('api')) addApiRoutes(app, { config, explorer, handlers, responses, admission, log })
  if (!web && (has('api') || has('rpc'))) addPlainDocsRoutes(app, explorer.names)
  if (pending) addPendingRoutes(app, pending, { ...server, access })
  if (web) await start(webPart(app, web, { ...webOptions, access }))
  const view = operatorView({
    config,
    database,
    databaseWatch,
    clock,
    replica,
    indexer,
    pending,
    ledger,
    node,
    sandbox: verifier?.sandbox,
    verificationQueue: verification?.queueState,
    stopping,
  })
  addHealthRoutes(app, view)
  const { HOST: host, OPERATOR_HOST: operatorHost, OPERATOR_PORT: operatorPort } = config
  const guards = { operator: access.operator, addressLimit: localAddressLimit(config) }
  if (operatorPort === undefined) addGuardedFigureRoutes(app, { view, metrics }, guards)
  // It stops after the public port, so that the figures of a stop can be read.
  const operatorDoor =
    operatorPort === undefined
      ? undefined
      : await start(
          httpPart(createOperatorApp({ view, metrics }), config, {
            name: 'http of the operator',
            host: operatorHost,
            port: operatorPort,
          }),
        )
  const { url, port } = await start(httpPart(app, config, { name: 'http', host, port: config.PORT }))
  if (config.API_PROCESSES > 0)
    await start(apiProcessesPart(config, { port, operatorPort: operatorDoor?.port, moreFlags, fail }))

  return {
    url,
    operatorUrl: operatorDoor?.url ?? url,
    devKey: access.devKey,
    verification,
    hasTokenList: tokenList !== undefined,
    nodeAbilities: await abilities,
    compilerSandbox: (await verifier?.sandboxFound)?.describe,
  }
}

function l1Part(url: string, log: Log): Part<L1> {
  return { name: 'L1', start: () => createL1({ url, log }), stop: (l1) => l1.close() }
}
