// The Sourcify v2 API over HTTP, at /v2 and at /sourcify/v2: its clients know no key, so the address's rate is what limits them.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { refused, type Sourcify, type SourcifyAnswer } from '../../compat/sourcify/sourcify.ts'
import { parseJson } from '../../lib/json/parse-json.ts'
import type { Log } from '../../lib/log.ts'
import type { Admission } from '../admission/admission.ts'
import { failureOf } from '../admission/failures.ts'
import { LazyRequestContext, withinTime } from '../admission/request-context.ts'

/** Room for a standard JSON input of ten megabytes and the fields around it. */
const MAX_BODY_BYTES = 10_500_000
/** forge glues its path to a URL that has no slash at its end. */
const PREFIXES = ['/v2', '/sourcify/v2', '/sourcifyv2']

export function addSourcifyRoutes(
  app: FastifyInstance,
  { admission, sourcify, log }: { admission: Pick<Admission, 'limitAddress'>; sourcify: Sourcify; log: Log },
): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error, request.id)
      if (failure.key === 'internal') log.error({ requestId: request.id, error: failure.cause ?? failure }, 'bug')
      return sent(reply, refused(failure))
    })
    const shared = { onRequest: admission.limitAddress, config: { label: 'sourcify' } }
    for (const prefix of PREFIXES) {
      scope.get<{ Params: ContractPath; Querystring: { fields?: string } }>(
        `${prefix}/contract/:chain/:address`,
        shared,
        async (request, reply) => {
          const { chain, address } = request.params
          const context = new LazyRequestContext(request)
          const fields = String(request.query.fields ?? '')
          return sent(reply, await withinTime(sourcify.contract(chain, address, fields), context))
        },
      )
      scope.post<{ Params: ContractPath; Body: Buffer }>(
        `${prefix}/verify/:chain/:address`,
        { ...shared, bodyLimit: MAX_BODY_BYTES },
        async (request, reply) => {
          const { chain, address } = request.params
          const context = new LazyRequestContext(request)
          const source = { body: jsonOf(request.body), sender: context.client }
          return sent(reply, await withinTime(sourcify.verify(chain, address, source), context))
        },
      )
      scope.get<{ Params: { id: string } }>(`${prefix}/verify/:id`, shared, async (request, reply) => {
        const context = new LazyRequestContext(request)
        return sent(reply, await withinTime(sourcify.job(request.params.id), context))
      })
    }
  })
}

type ContractPath = { chain: string; address: string }

/** Undefined for a body that is not JSON, which the facade refuses. */
function jsonOf(body: Buffer | undefined): unknown {
  try {
    return parseJson(String(body))
  } catch {
    return undefined
  }
}

function sent(reply: FastifyReply, { status, body, retryAfterS }: SourcifyAnswer): FastifyReply {
  if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS)
  return reply.status(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}
