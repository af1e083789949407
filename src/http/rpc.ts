// JSON-RPC over HTTP: POST /flashblocks (E20) and POST /; where keys are asked for, with the key behind the path or in a header.
import type { FastifyInstance } from 'fastify'
import { errorText } from '../lib/json-rpc.ts'
import type { Log } from '../lib/log.ts'
import { rpcErrorOf } from '../rpc/dispatch.ts'
import type { RpcAnswer } from '../rpc/rpc.ts'
import type { Admission } from './admission.ts'
import { failureOf } from './failures.ts'
import type { KeyDoor } from './rpc-keys.ts'

export const MAX_BODY_BYTES = 5_000_000

export type RpcRouteOptions = {
  admission: Pick<Admission, 'limitAddress'>
  answer: (text: string) => Promise<RpcAnswer>
  /** Refuses who has no key, where keys are required at all. */
  admitKey?: KeyDoor | undefined
  log: Log
}

export const addRpcRoutes = (app: FastifyInstance, { admission, answer, admitKey, log }: RpcRouteOptions): void => {
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
    for (const url of ['/', '/flashblocks', '/flashblocks/:key']) {
      scope.post(url, {
        bodyLimit: MAX_BODY_BYTES,
        config: { label: url === '/' ? 'rpc' : 'E20' },
        onRequest: admitKey ? [admission.limitAddress, admitKey] : admission.limitAddress,
        handler: async (request, reply) => {
          const { text, ageMs } = await answer(request.body instanceof Buffer ? request.body.toString() : '')
          if (ageMs !== null) reply.header('flashblocks-age-ms', ageMs)
          if (text === undefined) return reply.status(204).send()
          return reply.header('content-type', 'application/json; charset=utf-8').send(text)
        },
      })
    }
  })
}
