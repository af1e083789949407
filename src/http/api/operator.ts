// What an operator's tools ask for: is it alive, is it ready, how is it doing. The last is not for the public: it is answered on the
// operator's own port where there is one, otherwise to this machine and to clients with the operator token.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Operator } from '../../access/operator.ts'
import { Failure } from '../../contract/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { type AddressLimit, isOnThisMachine } from '../admission/admission.ts'

export type OperatorView = {
  /** Why requests would not be answered well right now; empty when ready. */
  notReadyReasons: () => Promise<readonly string[]> | readonly string[]
  /** What is answered, though not as it should be: a process with warnings is ready. */
  warnings?: () => readonly string[]
  /** Everything about this process, as JSON. */
  status: () => Promise<Record<string, unknown>> | Record<string, unknown>
}

type Figures = { readonly view: OperatorView; readonly metrics: Metrics }

/** For load balancers, on every port. */
export function addHealthRoutes(app: FastifyInstance, view: OperatorView): void {
  app.get('/health', { config: { label: 'health' } }, async (_request, reply) =>
    sameOrigin(reply).send({ status: 'alive' }),
  )
  app.get('/ready', { config: { label: 'ready' } }, async (_request, reply) => {
    const reasons = await view.notReadyReasons()
    const warnings = view.warnings?.() ?? []
    return sameOrigin(reply)
      .status(reasons.length === 0 ? 200 : 503)
      .send({ ready: reasons.length === 0, reasons, ...(warnings.length > 0 && { warnings }) })
  })
}

/** `/status` and `/metrics`; `admit` refuses with a Failure. */
function addFigureRoutes(
  app: FastifyInstance,
  { view, metrics }: Figures,
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  app.get('/status', { config: { label: 'status' } }, async (request, reply) => {
    await admit(request, sameOrigin(reply))
    return reply.send(await view.status())
  })
  app.get('/metrics', { config: { label: 'metrics' } }, async (request, reply) => {
    await admit(request, sameOrigin(reply))
    return reply.header('content-type', metrics.contentType).send(await metrics.text())
  })
}

/** On the public port. */
export function addGuardedFigureRoutes(
  app: FastifyInstance,
  figures: Figures,
  { operator, addressLimit }: { readonly operator: Operator; readonly addressLimit: AddressLimit },
): void {
  addFigureRoutes(app, figures, async (request, reply) => {
    if (isOnThisMachine(request)) return
    await addressLimit.limitAddress(request, reply)
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (token !== undefined && operator.isToken(token)) return
    throw new Failure(
      'keyMissing',
      'This is for the operator: send the operator token as Authorization: Bearer <token>.',
    )
  })
}

/** The server of the operator's own port. Who can reach the port may read everything on it. */
export function createOperatorApp(figures: Figures): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: 'idle', requestTimeout: REQUEST_TIMEOUT_MS })
  app.server.maxConnections = MAX_CONNECTIONS
  addHealthRoutes(app, figures.view)
  addFigureRoutes(app, figures, async () => undefined)
  return app
}

const REQUEST_TIMEOUT_MS = 30_000
const MAX_CONNECTIONS = 256

/** Scripts of other sites may read the API, but not this. */
function sameOrigin(reply: FastifyReply): FastifyReply {
  reply.raw.removeHeader('access-control-allow-origin')
  reply.raw.removeHeader('access-control-expose-headers')
  return reply
}
