// The Etherscan-style facade over HTTP: GET and POST /api with parameters in the query, in a form, or in both. The key is
// the `apikey` parameter. Refusals have the facade's own form, with status 200 where its clients look only at the body.
import type { FastifyInstance } from 'fastify'
import type { FailureKey } from '../contract/failure.ts'
import type { EtherscanFacade } from '../explorer/etherscan/facade.ts'
import type { EtherscanQuery } from '../explorer/etherscan/query.ts'
import type { Log } from '../lib/log.ts'
import type { Admission } from './admission.ts'
import { failureOf } from './failures.ts'
import { LazyRequestContext, withinTime } from './request-context.ts'

const MAX_FORM_BYTES = 16_384

/** What clients look for in `result`. */
const spelled: Partial<Record<FailureKey, string>> = {
  keyMissing: 'Missing/Invalid API Key',
  keyUnknown: 'Invalid API Key',
  tooManyRequests: 'Max rate limit reached',
}

export const addEtherscanRoutes = (
  app: FastifyInstance,
  { admission, answer, log }: { admission: Admission; answer: EtherscanFacade; log: Log },
): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error, request.id)
      if (failure.key === 'internal') log.error({ requestId: request.id, error: failure.cause ?? failure }, 'bug')
      const result = spelled[failure.key]
      return reply
        .status(result === undefined ? failure.refusal.status : 200)
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify({ status: '0', message: 'NOTOK', result: result ?? failure.message }))
    })
    scope.route({
      method: ['GET', 'POST'],
      url: '/api',
      bodyLimit: MAX_FORM_BYTES,
      config: { label: 'etherscan' },
      onRequest: admission.limitAddress,
      handler: async (request, reply) => {
        const query = { ...formOf(request.body), ...firstValues(request.query as Record<string, unknown>) }
        await admission.admitKey(query.apikey, request, reply)
        const context = new LazyRequestContext(request.id, request.raw)
        const answered = await withinTime(answer(query), context)
        return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answered))
      },
    })
  })
}

const formOf = (body: unknown): EtherscanQuery =>
  body instanceof Buffer ? Object.fromEntries(new URLSearchParams(body.toString())) : {}

const firstValues = (query: Record<string, unknown>): EtherscanQuery =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, String(Array.isArray(value) ? value[0] : value)]),
  )
