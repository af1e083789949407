// One server from one configuration: database, keys, HTTP. `dev` and `start` both run this.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createExplorer } from '../explorer/explorer.ts'
import { createApp } from '../http/app.ts'
import { addDocsRoutes } from '../http/docs.ts'
import { addOperatorRoutes } from '../http/operator.ts'
import { addExplorerRoutes } from '../http/routes.ts'
import { addRpcRoutes } from '../http/rpc.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createMetrics } from '../lib/metrics.ts'
import { createDispatch } from '../rpc/dispatch.ts'
import { createPreconfirmationRpc } from '../rpc/preconfirmation.ts'
import type { Database } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { openDatabase } from '../store/open.ts'
import { admissionOf, keyRingOf, pruneAccess } from './access.ts'
import type { DevKey } from './data-dir.ts'
import { ensureDevKey } from './dev-key.ts'
import type { Config } from './options.ts'
import { operatorView } from './status.ts'
import { buildWebIfStale, webDir } from './web-build.ts'

export type RunningServer = { url: string; devKey: DevKey | undefined }

export const startServer = async (options: {
  config: Config
  log: Log
  lifecycle: Lifecycle
  /** Make a development key and show it to this machine. */
  withDevKey: boolean
}): Promise<RunningServer> => {
  const { config, log, lifecycle } = options
  const database = await startDatabase(config, log, lifecycle)
  const keyRing = keyRingOf(config, database)
  await keyRing.proveSeal()
  const devKey = options.withDevKey ? await ensureDevKey(config.DATA_DIR, keyRing) : undefined
  pruneAccess(database, lifecycle.signal, (error) => log.warn({ error }, 'pruning failed'))
  await buildWebIfStale()

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
    addExplorerRoutes(app, {
      admission,
      handlers: createExplorer(),
      chainShortName: chain.shortName,
      segments: [...new Set(['chain', ...config.CHAIN_PATHS])],
    })
  }
  if (config.ROLES.includes('rpc')) {
    addRpcRoutes(app, { admission, dispatch: createDispatch(createPreconfirmationRpc()), log })
  }
  if (config.ROLES.includes('web')) addDocsRoutes(app, { chain, webDir, devKey })
  addOperatorRoutes(app, { metrics, view: operatorView({ config, database, stopping: lifecycle.signal }) })
  await lifecycle.start({
    name: 'http',
    start: async () => void (await app.listen({ host: config.HOST, port: config.PORT })),
    stop: () => app.close(),
  })
  return { url: urlOf(app, config.HOST), devKey }
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

const urlOf = (app: FastifyInstance, host: string): string => {
  const { port } = app.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
