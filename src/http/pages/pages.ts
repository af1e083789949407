// The web explorer: server-rendered pages. Each has a loader in this folder, which asks the explorer for data, and a component in web/pages.
// An error becomes a page, too.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemData } from '../../../web/pages/problem.tsx'
import type { PageShell } from '../../../web/parts/page/page-shell.ts'
import type { View, rendering as webRendering } from '../../../web/render.tsx'
import type { Failure, FailureKey } from '../../contract/failure.ts'
import type { Log } from '../../lib/log.ts'
import type { Admission } from '../admission/admission.ts'
import { failureOf } from '../admission/failures.ts'
import { createAboutPage } from './about.ts'
import { addressPage } from './address.ts'
import { addAssetRoutes, assetPaths } from './assets.ts'
import { accountsPage, blockPage, blocksPage, homePage, largePage, transactionsPage, unconfirmedPage } from './chain.ts'
import { chartsPage, gasPage } from './charts.ts'
import { compress, encodingOf } from './compression.ts'
import { contractsPage } from './contracts.ts'
import { addExportRoutes } from './exports.ts'
import { flashblockPage, flashblocksPage } from './flashblocks.ts'
import { namesFor } from './mentions.ts'
import { addPreferenceRoutes, preferencesOf } from './preferences.ts'
import { qualityPage } from './quality.ts'
import { searchPage } from './search.ts'
import { tokenPage, tokensPage } from './tokens.ts'
import { transactionPage } from './transaction.ts'
import { type PageLoader, type VisitOptions, visitOf } from './visit.ts'

/** The paths of EIP-3091, and the lists beside them. */
const loaders: Readonly<Record<string, PageLoader>> = {
  '/': homePage,
  '/blocks': blocksPage,
  '/block/:block': blockPage,
  // /flashblocks is the feed; it redirects browsers here.
  '/flashblock': flashblocksPage,
  '/flashblock/:number/:index': flashblockPage,
  '/txs': transactionsPage,
  '/txs/pending': unconfirmedPage,
  '/tx/:hash': transactionPage,
  '/address/:address': addressPage,
  '/tokens': tokensPage,
  '/token/:address': tokenPage,
  '/accounts': accountsPage,
  '/large': largePage,
  '/contracts': contractsPage,
  '/charts': chartsPage,
  '/gas': gasPage,
  '/tools': async () => ({ page: 'tools', data: {} }),
  '/labels': async () => ({ page: 'labels', data: {} }),
  '/quality': qualityPage,
  '/search': searchPage,
}

/** Pages load files of this server only; inline scripts and styles are forbidden. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

type Rendering = typeof webRendering

export type PagesOptions = VisitOptions & {
  readonly admission: Pick<Admission, 'limitAddress'>
  readonly log: Log
  /** Folder of the built pages and browser files. */
  readonly webDir: string
  readonly version: string
  /** What readers of every page should know now. */
  readonly notices?: () => readonly string[]
  /** The same about preconfirmations. */
  readonly preconfirmationNotes?: () => readonly string[]
}

export type Pages = {
  readonly rendering: Rendering
  /** For routes that are more than a loader; `headers` replace the usual ones. */
  readonly show: (
    request: FastifyRequest,
    reply: FastifyReply,
    view: View,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<FastifyReply>
  readonly showFailure: (request: FastifyRequest, reply: FastifyReply, failure: Failure) => Promise<FastifyReply>
  /** The page for an unknown path; undefined for a client that is no browser. */
  readonly notFound: (
    request: FastifyRequest,
    reply: FastifyReply,
    failure: Failure,
  ) => Promise<FastifyReply> | undefined
}

export async function createPages(
  options: PagesOptions,
): Promise<Pages & { addRoutes: (app: FastifyInstance) => void }> {
  const { chain, webDir, version, log } = options
  const built = (await import(pathToFileURL(join(webDir, 'server', 'pages.js')).href)) as { rendering: Rendering }
  const { rendering } = built
  const pathOf = assetPaths(webDir)
  const assets = { style: pathOf('web/styles/site.css'), script: pathOf('web/islands/site.ts') }

  const send: Pages['show'] = async (request, reply, view, headers = {}) => {
    const names = await namesFor(options.answers, view.data)
    const preferences = preferencesOf(request)
    const shell: PageShell = {
      ...names,
      chain,
      path: request.url,
      ...preferences,
      nowMs: Date.now(),
      assets,
      version,
      notices: options.notices?.() ?? [],
      preconfirmationNotes: options.preconfirmationNotes?.() ?? [],
    }
    const coding = encodingOf(request.headers['accept-encoding'])
    const body = await compress(rendering.renderPage(view, shell), coding)
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding, cookie')
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'same-origin')
      .headers(headers)
      .send(body)
  }

  const sendProblem = (request: FastifyRequest, reply: FastifyReply, failure: Failure): Promise<FastifyReply> => {
    if (failure.key === 'internal') log.error({ requestId: request.id, error: failure.cause ?? failure }, 'bug')
    if (failure.retryAfterS !== undefined) reply.header('retry-after', failure.retryAfterS)
    reply.status(statusOf(failure))
    return send(request, reply, { page: 'problem', data: problemOf(failure) })
  }

  const addPage = (app: FastifyInstance, url: string, load: PageLoader): void => {
    app.get(url, {
      config: { label: 'page' },
      onRequest: options.admission.limitAddress,
      handler: async (request, reply) => {
        const result = await load(visitOf(options, request))
        if ('redirect' in result) return reply.redirect(result.redirect, 302)
        return send(request, reply.status(result.status ?? 200), result)
      },
      errorHandler: async (error, request, reply) => sendProblem(request, reply, failureOf(error, request.id)),
    })
  }

  return {
    rendering,
    show: send,
    showFailure: sendProblem,
    notFound: (request, reply, failure) =>
      request.method === 'GET' && asksForPage(request) ? sendProblem(request, reply, failure) : undefined,
    addRoutes: (app) => {
      for (const [url, load] of Object.entries(loaders)) addPage(app, url, load)
      addPage(app, '/about', createAboutPage())
      addAssetRoutes(app, webDir)
      addExportRoutes(app, options)
      addPreferenceRoutes(app)
    },
  }
}

/** Browsers name HTML first in Accept. */
function asksForPage({ headers, url }: FastifyRequest): boolean {
  return /^\s*text\/html\b/.test(headers.accept ?? '') && !url.startsWith('/api')
}

/** The API answers an unknown height with status 200; a page that does not exist has status 404. */
function statusOf(failure: Failure): number {
  return missing.has(failure.key) ? 404 : failure.refusal.status === 200 ? 400 : failure.refusal.status
}

const missing: ReadonlySet<FailureKey> = new Set(['unknownPath', 'unknownHeight', 'unknownToken'])

function problemOf(failure: Failure): ProblemData {
  return {
    title: titleOf(failure),
    text: failure.message,
    retryAfterS: failure.retryAfterS,
  }
}

function titleOf({ key }: Failure): string {
  if (missing.has(key)) return 'Page not found'
  if (key === 'notReady') return 'Not ready yet'
  if (key === 'tooManyRequests' || key === 'queueFull') return 'Too many requests'
  if (key === 'internal' || key === 'requestTimeout') return 'Something went wrong'
  return 'Invalid request'
}
