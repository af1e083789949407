// The web explorer as a part of a server: pages, console, documentation, and updates for open pages.
import type { FastifyInstance } from 'fastify'
import { createLocalLimiter } from '../access/rate-limits.ts'
import type { Handlers } from '../contract/endpoints.ts'
import { withoutSources } from '../explorer/pages/contract-pages.ts'
import { createPageAnswers } from '../explorer/pages/page-answers.ts'
import type { ExplorerOptions } from '../explorer/state/chain-context.ts'
import type { Admission } from '../http/admission/admission.ts'
import { addConsoleRoutes } from '../http/console/console.ts'
import { createFlashblockUpdates } from '../http/live/flashblock-updates.ts'
import { followChain } from '../http/live/follow-chain.ts'
import { createJobUpdates } from '../http/live/job-updates.ts'
import { createListUpdates } from '../http/live/list-updates.ts'
import { addLiveRoute } from '../http/live/live.ts'
import { createNoticeUpdates } from '../http/live/notice-updates.ts'
import { createTransactionUpdates } from '../http/live/transaction-updates.ts'
import { addDocsRoutes } from '../http/pages/docs.ts'
import { createPages } from '../http/pages/pages.ts'
import { pendingNodeFor } from '../http/pages/pending-node.ts'
import { addVerifyRoutes } from '../http/pages/verify.ts'
import { inProcess } from '../http/pages/visit.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import type { RpcChannel } from '../rpc/server/channel.ts'
import type { Access } from './access-part.ts'
import { type ServerContext, version } from './context.ts'
import { webDir } from './web-build.ts'

/** Ten attempts of one address in a row, then one every ten seconds. */
const SIGN_IN_RULE = { perSecond: 0.1, burst: 10 }

type WebOptions = Pick<ServerContext, 'config' | 'metrics' | 'log'> & {
  readonly explorer: ExplorerOptions
  readonly handlers: Handlers
  readonly admission: Admission
  /** Undefined where no node is followed. */
  readonly rpc: RpcChannel | undefined
  /** What readers of every page should know now. */
  readonly notices: () => readonly string[]
  /** What each URL of the node is and can do. */
  readonly nodeAbilities: () => readonly string[]
  /** The same about preconfirmations. */
  readonly preconfirmationNotes: () => readonly string[]
}

export type WebPages = Awaited<ReturnType<typeof createWebPages>>

/** The pages without their routes: the HTTP server needs the page for paths that do not exist before it can have routes. */
export async function createWebPages(options: WebOptions) {
  const { config, explorer, handlers, admission, rpc, notices, nodeAbilities, preconfirmationNotes, log } = options
  const all = createPageAnswers(explorer)
  const answers = config.VERIFY_KEYS_REQUIRED ? { ...all, contracts: withoutSources(all.contracts) } : all
  const source = {
    handlers,
    answers,
    chain: explorer.names,
    nodeFor: rpc && ((client: string) => pendingNodeFor(client, rpc)),
    nodeAbilities,
  }
  return {
    source,
    pages: await createPages({ ...source, admission, log, webDir, version, notices, preconfirmationNotes }),
  }
}

export function webPart(
  app: FastifyInstance,
  { source, pages }: WebPages,
  { config, explorer, handlers, admission, notices, metrics, log, access }: WebOptions & { readonly access: Access },
): Part<{ running: Promise<unknown> }> {
  const { answers, chain } = source
  const { rendering } = pages
  return {
    name: 'web',
    start: (signal) => {
      pages.addRoutes(app)
      addConsoleRoutes(app, {
        operator: access.operator,
        keyRing: access.keyRing,
        usage: access.usage,
        admission,
        tries: createLocalLimiter(SIGN_IN_RULE, Date.now),
        pages,
      })
      addVerifyRoutes(app, {
        handlers,
        answers,
        chainShortName: chain.shortName,
        admission,
        isOpen: !config.VERIFY_KEYS_REQUIRED,
        pages,
      })
      addDocsRoutes(app, { chain, webDir, devKey: access.devKey, pages })
      const updateOptions = { source: inProcess(source), rendering, chain, log }
      const kinds = [
        createListUpdates(updateOptions),
        createFlashblockUpdates(updateOptions),
        createTransactionUpdates(updateOptions),
      ]
      const jobs = createJobUpdates({ answers, rendering, log })
      const noticeUpdates = createNoticeUpdates({ notices, rendering })
      const live = addLiveRoute(app, { metrics, admission, sources: [...kinds, jobs, noticeUpdates] })
      const following = followChain({ kinds, live, answers, ledger: explorer.ledger, log }, signal)
      return { running: Promise.all([following, jobs.run(live, signal), noticeUpdates.run(live, signal)]) }
    },
    stop: ({ running }) => running,
  }
}
