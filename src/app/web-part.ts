// The web explorer as a part of a server: pages, documentation, and the news for pages that are open.
import type { FastifyInstance } from 'fastify'
import type { KeyRing } from '../access/key-ring.ts'
import type { KeyUsage } from '../access/key-usage.ts'
import { createOperator } from '../access/operator.ts'
import { createLocalLimiter } from '../access/rate-limits.ts'
import type { Handlers } from '../contract/endpoints.ts'
import { withoutSources } from '../explorer/pages/contract-pages.ts'
import { createPageAnswers } from '../explorer/pages/page-answers.ts'
import type { ExplorerOptions } from '../explorer/state/chain-now.ts'
import type { Admission } from '../http/admission/admission.ts'
import { addConsoleRoutes } from '../http/console/console.ts'
import { createFlashblockUpdates } from '../http/live/flashblock-updates.ts'
import { followChain } from '../http/live/follow-chain.ts'
import { createJobUpdates } from '../http/live/job-updates.ts'
import { createListUpdates } from '../http/live/list-updates.ts'
import { addLiveRoute } from '../http/live/live.ts'
import { createTransactionUpdates } from '../http/live/transaction-updates.ts'
import { addDocsRoutes } from '../http/pages/docs.ts'
import { createPages, type Pages } from '../http/pages/pages.ts'
import { createPendingNode } from '../http/pages/pending-node.ts'
import { addVerifyRoutes } from '../http/pages/verify.ts'
import { inProcess } from '../http/pages/visit.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { RpcChannel } from '../rpc/server/channel.ts'
import type { DevKey } from './data-dir.ts'
import { version } from './version.ts'
import { webDir } from './web-build.ts'

/** Ten tries of one address at once, then one in ten seconds. */
const SIGN_IN_RULE = { perSecond: 0.1, burst: 10 }

export async function startWebPart(
  app: FastifyInstance,
  options: {
    explorer: ExplorerOptions
    handlers: Handlers
    admission: Admission
    metrics: Metrics
    log: Log
    lifecycle: Lifecycle
    devKey: DevKey | undefined
    keyRing: KeyRing
    usage: KeyUsage
    operatorToken: string
    /** Whether sources are taken without a key. */
    isVerifyingOpen: boolean
    /** Absent where no node is followed. */
    rpc: RpcChannel | undefined
  },
): Promise<Pages> {
  const { explorer, handlers, admission, metrics, log, lifecycle, devKey } = options
  const chain = explorer.names
  const node = options.rpc && createPendingNode(options.rpc)
  const open = createPageAnswers(explorer)
  const answers = options.isVerifyingOpen ? open : { ...open, contracts: withoutSources(open.contracts) }
  const source = { handlers, answers, chain, node }
  const pages = await createPages({ ...source, admission, log, webDir, version })
  pages.addRoutes(app)
  addConsoleRoutes(app, {
    operator: createOperator({ token: options.operatorToken, nowMs: Date.now }),
    keyRing: options.keyRing,
    usage: options.usage,
    admission,
    tries: createLocalLimiter(SIGN_IN_RULE, Date.now),
    pages,
  })
  addVerifyRoutes(app, {
    handlers,
    answers: source.answers,
    chainShortName: chain.shortName,
    admission,
    isOpen: options.isVerifyingOpen,
    pages,
  })
  addDocsRoutes(app, { chain, webDir, devKey, pages })
  const { rendering } = pages
  const told = { source: inProcess(source), rendering, chain, log }
  const kinds = [createListUpdates(told), createFlashblockUpdates(told), createTransactionUpdates(told)]
  const jobs = createJobUpdates({ answers, rendering, log })
  const live = addLiveRoute(app, { metrics, admission, sources: [...kinds, jobs] })
  const stopping = new AbortController()
  let running: Promise<unknown> | undefined
  await lifecycle.start({
    name: 'web',
    start: () => {
      running = Promise.all([
        followChain({ kinds, live, answers, ledger: explorer.ledger, log }, stopping.signal),
        jobs.run(live, stopping.signal),
      ])
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  })
  return pages
}
