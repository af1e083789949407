// JSON-RPC over HTTP: POST /flashblocks (E20) and POST /. If keys are required, the key is in the path or in a header.
import type { FastifyInstance } from 'fastify'
import { errorText } from '../../lib/json/json-rpc.ts'
import type { Log } from '../../lib/log.ts'
import type { RpcChannel } from '../../rpc/server/channel.ts'
import { rpcErrorOf } from '../../rpc/server/server.ts'
import type { Admission } from '../admission/admission.ts'
import { failureOf } from '../admission/failures.ts'
import { clientOf, type KeyCheck } from './rpc-keys.ts'
import { answerPlainPosts, callerOf, type RpcRefusal, setAnswerHeaders } from './rpc-plain.ts'

export const MAX_BODY_BYTES = 5_000_000

export type RpcRouteOptions = {
  admission: Pick<Admission, 'limitAddress'>
  answer: RpcChannel['answer']
  /** Undefined if no key is required. */
  admitKey?: KeyCheck | undefined
  log: Log
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** The label under which the requests of each path are counted. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['/', 'rpc'],
  ['/flashblocks', 'E20'],
])

export function addRpcRoutes(app: FastifyInstance, { admission, answer, admitKey, log }: RpcRouteOptions): void {
  const refusalOf = (error: unknown, requestId: string): RpcRefusal => {
    const failure = failureOf(error, requestId)
    if (failure.key === 'internal')
      log.error({ requestId, error: failure.cause ?? failure }, 'http: JSON-RPC failed with a bug')
    return {
      status: failure.refusal.status,
      headers: {
        'content-type': JSON_TYPE,
        ...(failure.retryAfterS !== undefined && { 'retry-after': String(failure.retryAfterS) }),
      },
      text: errorText(null, rpcErrorOf(failure)),
    }
  }
  // With keys every request goes through the routes: the key may be in the path, and is looked up in the database.
  if (!admitKey) {
    const { limitAddress } = admission
    answerPlainPosts(app, { labels: LABELS, maxBodyBytes: MAX_BODY_BYTES, limitAddress, answer, refusalOf })
  }
  app.register(async (scope) => {
    // Wallets and scripts send JSON-RPC under any content type, or none.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => {
      const { status, headers, text } = refusalOf(error, request.id)
      return reply.status(status).headers(headers).send(text)
    })
    for (const [url, label] of [...LABELS, ['/flashblocks/:key', 'E20'] as const]) {
      scope.post(url, {
        bodyLimit: MAX_BODY_BYTES,
        config: { label },
        onRequest: admitKey ? [admission.limitAddress, admitKey] : admission.limitAddress,
        handler: async (request, reply) => {
          const body = request.body instanceof Buffer ? request.body.toString() : ''
          const caller = callerOf(clientOf(request, admitKey !== undefined), reply.raw)
          const answered = await answer(body, caller)
          setAnswerHeaders(reply.raw, answered)
          const { text } = answered
          if (text === undefined) return reply.status(204).send()
          return reply.header('content-type', JSON_TYPE).send(text)
        },
      })
    }
  })
}
