// The HTTP server: limits on every request, one request id in headers and logs, and the same form for every refusal.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Failure } from '../contract/failure.ts'
import { createTurns, type Turns } from '../lib/async/turns.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { addressGroup } from './admission/admission.ts'
import { type BodyBudget, closeIfUnread, createBodyBudget, limitBodies } from './admission/body-budget.ts'
import { type ConnectionLimit, createConnectionLimit } from './admission/connection-limits.ts'
import { refusedFrom } from './admission/envelope.ts'
import { failureOf, parserFailure } from './admission/failures.ts'
import { notFoundFailure, otherMethodOf } from './admission/not-found.ts'
import { createRequestLog, type LogRequest } from './admission/request-log.ts'
import { defaultBudgetBytes, keepSendBudget } from './admission/send-budget.ts'

declare module 'fastify' {
  interface FastifyInstance {
    nextRequestId: () => string
    logRequest: LogRequest
    bodies: BodyBudget
    turns: Turns
    /** Lists that are sent whole. */
    downloads: ConnectionLimit
    /** One handler may take requests before the framework does; it returns false for a request that it leaves to the routes. */
    handleBeforeRoutes: (handle: EarlyHandler) => void
  }
}

export type EarlyHandler = (request: IncomingMessage, response: ServerResponse) => boolean

const MAX_DOWNLOADS = { total: 64, perAddress: 4 }
const MAX_TARGET_CHARS = 8_192
const MAX_HEADER_BYTES = 16_384
/** Slow senders are disconnected: headers must be complete within the first time, the whole request within the second. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 72_000
/** A client that reads nothing for this time is disconnected. */
const STALLED_TIMEOUT_MS = 60_000

export type AppOptions = {
  log: Log
  metrics: Metrics
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  maxConnections: number
  /** Default: a tenth of the memory. */
  sendBudgetBytes?: number | undefined
  /** Default: a tenth of the memory. */
  bodyBudgetBytes?: number | undefined
  /** Answers a browser with a page; undefined for any other client. */
  notFoundPage?: (request: FastifyRequest, reply: FastifyReply, failure: Failure) => Promise<FastifyReply> | undefined
}

export function createApp(options: AppOptions): FastifyInstance {
  const { log, metrics, trustedProxies, maxConnections, notFoundPage } = options
  const { sendBudgetBytes = defaultBudgetBytes(), bodyBudgetBytes = defaultBudgetBytes() } = options
  const nextRequestId = createRequestIds()
  let handleEarly: EarlyHandler = () => false
  const app = fastify({
    logger: false,
    serverFactory: (routes) =>
      createHttpServer((request, response) => {
        if (!handleEarly(request, response)) routes(request, response)
      }),
    forceCloseConnections: 'idle',
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: true,
    requestIdHeader: false,
    genReqId: nextRequestId,
    clientErrorHandler: (error, socket) => refuseUnparsed(error, socket),
    frameworkErrors: (error, request, reply) =>
      void sendFailure(reply.header('x-request-id', request.id), failureOf(error, request.id)),
  })
  app.server.maxConnections = maxConnections
  keepSendBudget(app.server, { maxBytes: sendBudgetBytes, metrics, log })
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { status, text } = refusedFrom(
      new Failure('expectationFailed', 'No expectation but 100-continue can be met.'),
    )
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(text)
  })

  // Bodies stay bytes: nothing is parsed before the signature over them was checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.decorate('nextRequestId', nextRequestId)
  app.decorate('handleBeforeRoutes', (handle: EarlyHandler) => {
    handleEarly = handle
  })
  app.decorate('logRequest', createRequestLog(metrics, log))
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeader('x-request-id', request.id)
    if (request.headers.origin !== undefined) allowAnyOrigin(reply.raw)
    done(requestProblem(request))
  })
  const bodies = createBodyBudget({ maxBytes: bodyBudgetBytes, metrics })
  app.decorate('bodies', bodies)
  const turns = createTurns()
  app.decorate('turns', turns)
  app.decorate('downloads', createConnectionLimit(MAX_DOWNLOADS, 'downloads at a time'))
  limitBodies(app, bodies)
  // Reading SQLite blocks the thread, so visitors take turns: one with forty pages under way delays others by one page.
  app.addHook('preHandler', (request, _reply, done) => {
    if (turns.isUsedUp()) void turns.toBegin(addressGroup(request.ip)).then(() => done())
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    app.logRequest({
      requestId: request.id,
      request: request.raw,
      route: request.routeOptions.config.label ?? 'other',
      status: reply.statusCode,
      ms: reply.elapsedTime,
    })
    done()
  })

  app.options('/*', { config: { label: 'preflight' } }, (request, reply) =>
    reply
      .header('access-control-allow-methods', 'GET, POST')
      .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
      .header('access-control-max-age', '86400')
      .status(204)
      .send(),
  )

  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error, request.id)
    if (failure.key === 'internal') log.error({ requestId: request.id, error: failure.cause ?? failure }, 'bug')
    return sendFailure(reply, failure)
  })
  app.setNotFoundHandler((request, reply) => {
    const { method, url } = request.raw
    const other = otherMethodOf(app, method!, url!)
    if (other) reply.header('allow', other)
    const exists = (path: string) => otherMethodOf(app, 'none', path) !== undefined
    const failure = notFoundFailure({ method: method!, target: url!, other, exists })
    return notFoundPage?.(request, reply, failure) ?? sendFailure(reply, failure)
  })
  return app
}

function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      connectionsCheckingInterval: 2_000,
      // A hook checks it, so that the refusal has the form of all others.
      requireHostHeader: false,
    },
    listener,
  )
  server.setTimeout(STALLED_TIMEOUT_MS)
  return server
}

function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  const { status, text, retryAfterS } = refusedFrom(failure)
  if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS)
  closeIfUnread(reply.request.raw, reply.raw)
  return reply.status(status).header('content-type', 'application/json; charset=utf-8').send(text)
}

/** API keys are sent in headers, never in cookies, so scripts of any site may call the API. */
export function allowAnyOrigin(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader(
    'access-control-expose-headers',
    'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, work-limit, work-remaining, work-reset',
  )
}

function requestProblem({ raw, headers }: FastifyRequest): Failure | undefined {
  if (raw.url!.length > MAX_TARGET_CHARS) {
    return new Failure('targetTooLong', `The URL is longer than ${MAX_TARGET_CHARS} characters.`)
  }
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new Failure('malformedRequest', 'An HTTP/1.1 request must have the header Host.')
  }
  return undefined
}

/** The HTTP parser failed, so there is no request object: the answer is written to the socket directly. */
function refuseUnparsed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, text } = refusedFrom(parserFailure(error.code))
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close\r\n`
  socket.end(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}

/** A random prefix and a counter: unique in all processes, and short enough to read out. */
function createRequestIds(): () => string {
  const start = randomBytes(5).toString('hex')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
