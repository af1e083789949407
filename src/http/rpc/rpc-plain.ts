// Most of JSON-RPC over HTTP is one small POST after the other, for which the framework costs more than the answer. Such a request is
// answered before the framework sees it, with the same limits and headers; every other request goes through the routes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { RpcCaller, RpcChannel } from '../../rpc/server/channel.ts'
import type { RpcAnswer } from '../../rpc/server/server.ts'
import { type Admission, addressGroup } from '../admission/admission.ts'
import { type CountedBody, closeIfUnread } from '../admission/body-budget.ts'
import { allowAnyOrigin } from '../app.ts'

export type PlainPosts = {
  /** The label under which the requests of each path are counted. */
  readonly labels: ReadonlyMap<string, string>
  readonly maxBodyBytes: number
  readonly limitAddress: Admission['limitAddress']
  readonly answer: RpcChannel['answer']
  readonly refusalOf: (error: unknown, requestId: string) => RpcRefusal
}

export type RpcRefusal = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export function answerPlainPosts(app: FastifyInstance, posts: PlainPosts): void {
  const { labels, maxBodyBytes, limitAddress, answer, refusalOf } = posts
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  /** The routes handle a request that a proxy forwarded, and every request that is refused before its body is read. */
  const isPlain = ({ method, url, headers }: IncomingMessage): boolean =>
    method === 'POST' &&
    labels.has(url!) &&
    Number(headers['content-length']) <= maxBodyBytes &&
    headers.host !== undefined &&
    headers['x-forwarded-for'] === undefined &&
    !isClosing

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startMs = performance.now()
    const requestId = app.nextRequestId()
    response.setHeader('x-request-id', requestId)
    if (request.headers.origin !== undefined) allowAnyOrigin(response)
    try {
      const ip = request.socket.remoteAddress ?? ''
      await limitAddress({ ip, headers: request.headers }, { raw: response })
      const counted = app.bodies.bodyOf(ip, response)
      counted.announced(Number(request.headers['content-length']))
      const answered = await answer(await readBody(request, counted), callerOf(addressGroup(ip), response))
      setAnswerHeaders(response, answered)
      const { text } = answered
      if (text === undefined) response.writeHead(204).end()
      else response.setHeader('content-type', 'application/json; charset=utf-8').end(text)
    } catch (error) {
      const { status, headers, text } = refusalOf(error, requestId)
      closeIfUnread(request, response)
      response.writeHead(status, headers).end(text)
    }
    app.logRequest({
      requestId,
      request,
      route: labels.get(request.url!)!,
      status: response.statusCode,
      ms: performance.now() - startMs,
    })
  }

  app.handleBeforeRoutes((request, response) => {
    if (!isPlain(request)) return false
    void serve(request, response)
    return true
  })
}

/** Never resolves if the client disconnects in the middle of the body: then nobody waits for an answer. */
function readBody(request: IncomingMessage, { arrived }: CountedBody): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let chunks: Buffer[] = []
  const collect = (chunk: Buffer): void => {
    try {
      arrived(chunk.length)
      chunks.push(chunk)
    } catch (error) {
      request.off('data', collect)
      chunks = []
      reject(error)
    }
  }
  request.on('data', collect)
  request.on('end', () => resolve(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()))
  return promise
}

/** Work for a client that has left is abandoned. */
export function callerOf(client: string, response: ServerResponse): RpcCaller {
  return {
    client,
    isGone: () => response.destroyed,
    whenGone: (listener) =>
      response.once('close', () => {
        if (!response.writableFinished) listener()
      }),
  }
}

export function setAnswerHeaders(response: ServerResponse, { ageMs, work }: Omit<RpcAnswer, 'text'>): void {
  if (ageMs !== undefined) response.setHeader('flashblocks-age-ms', ageMs)
  if (work === undefined) return
  response.setHeader('Work-Limit', work.limit)
  response.setHeader('Work-Remaining', work.remaining)
  response.setHeader('Work-Reset', work.resetS)
}
