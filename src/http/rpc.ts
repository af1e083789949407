// JSON-RPC over HTTP: POST /flashblocks (E20) and POST /.
import type { FastifyInstance } from 'fastify'
import { answerJsonRpc, errorText } from '../lib/json-rpc.ts'
import type { Log } from '../lib/log.ts'
import { type Dispatch, rpcBug, rpcErrorOf } from '../rpc/dispatch.ts'
import type { Admission } from './admission.ts'
import { failureOf } from './failures.ts'

const MAX_BODY_BYTES = 5_000_000
const MAX_BATCH = 1_000
const MAX_RESPONSE_CHARS = 50_000_000

export const addRpcRoutes = (
  app: FastifyInstance,
  { admission, dispatch, log }: { admission: Admission; dispatch: Dispatch; log: Log },
): void => {
  app.register(async (scope) => {
    // Wallets and scripts send JSON-RPC under any content type, or none.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error, request.id)
      if (failure.key === 'internal') log.error({ requestId: request.id, error: failure.cause ?? failure }, 'bug')
      if (failure.retryAfterS !== undefined) reply.header('retry-after', failure.retryAfterS)
      return reply
        .status(failure.refusal.status)
        .header('content-type', 'application/json; charset=utf-8')
        .send(errorText(null, rpcErrorOf(failure)))
    })
    for (const url of ['/', '/flashblocks']) {
      scope.post(url, {
        bodyLimit: MAX_BODY_BYTES,
        config: { label: url === '/' ? 'rpc' : 'E20' },
        onRequest: admission.limitAddress,
        handler: async (request, reply) => {
          const server = {
            call: dispatch,
            onBug: (error: unknown, method: string) => {
              log.error({ requestId: request.id, method, error }, 'bug')
              return rpcBug(request.id)
            },
            maxBatch: MAX_BATCH,
            maxResponseChars: MAX_RESPONSE_CHARS,
          }
          const text = await answerJsonRpc(server, request.body instanceof Buffer ? request.body.toString() : '')
          if (text === undefined) return reply.status(204).send()
          return reply.header('content-type', 'application/json; charset=utf-8').send(text)
        },
      })
    }
  })
}
