// The explorer API and the dialects of other explorers, over the same answers.
import type { FastifyInstance } from 'fastify'
import { createEtherscanFacade } from '../compat/etherscan/facade.ts'
import { createSourcify } from '../compat/sourcify/sourcify.ts'
import type { Handlers } from '../contract/endpoints.ts'
import type { ExplorerOptions } from '../explorer/state/chain-context.ts'
import type { Admission } from '../http/admission/admission.ts'
import { addEtherscanRoutes, pluginPaths } from '../http/api/etherscan.ts'
import type { ResponseCache } from '../http/api/response-cache.ts'
import { addExplorerRoutes } from '../http/api/routes.ts'
import { addSourcifyRoutes } from '../http/api/sourcify.ts'
import type { Log } from '../lib/log.ts'
import type { Config } from './options.ts'

export function addApiRoutes(
  app: FastifyInstance,
  options: {
    readonly config: Config
    readonly explorer: ExplorerOptions
    readonly handlers: Handlers
    readonly responses: ResponseCache
    readonly admission: Admission
    readonly log: Log
  },
): void {
  const { config, explorer, handlers, responses, admission, log } = options
  const { shortName } = explorer.names
  const segments = [...new Set(['chain', ...config.CHAIN_PATHS])]
  const isVerifyingOpen = !config.VERIFY_KEYS_REQUIRED
  addEtherscanRoutes(app, {
    admission,
    answer: createEtherscanFacade(explorer),
    log,
    paths: pluginPaths(segments, shortName),
    isVerifyingOpen,
  })
  if (explorer.verification && isVerifyingOpen) {
    addSourcifyRoutes(app, { admission, sourcify: createSourcify(explorer.verification), log })
  }
  addExplorerRoutes(app, { admission, handlers, responses, chainShortName: shortName, segments })
}
