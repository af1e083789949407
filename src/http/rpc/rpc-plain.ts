// Most of JSON-RPC over HTTP is one small POST by one client after the other, and the framework would cost more than its answer. Such a
// request is answered here, with the same limits and the same headers; whatever is not plain goes through the routes as everything does.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { RpcAnswer } from '../../rpc/server/server.ts'
import type { Admission } from '../admission/admission.ts'
import { allowAnyOrigin } from '../app.ts'

export type PlainPosts = {
  /** Paths, and what their requests are counted as. */
  readonly labels: ReadonlyMap<string, string>
  readonly maxBodyBytes: number
  readonly limitAddress: Admission['limitAddress']
  readonly answer: (text: string) => RpcAnswer | Promise<RpcAnswer>
  readonly refusalOf: (error: unknown, requestId: string) => RpcRefusal
}

export type RpcRefusal = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export function answerPlainPosts(app: FastifyInstance, posts: PlainPosts): void {
  const { labels, maxBodyBytes, limitAddress, answer, refusalOf } = posts
  const route = app.server.listeners('request')[0] as (request: IncomingMessage, response: ServerResponse) => void
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  /** A proxy's word on whose request it is, and everything that is to be refused before it is read, is for the routes. */
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
      await limitAddress({ ip: request.socket.remoteAddress ?? '' }, { raw: response })
      const { text, ageMs } = await answer(await bodyOf(request))
      if (ageMs !== undefined) response.setHeader('flashblocks-age-ms', ageMs)
      if (text === undefined) response.writeHead(204).end()
      else response.setHeader('content-type', 'application/json; charset=utf-8').end(text)
    } catch (error) {
      const { status, headers, text } = refusalOf(error, requestId)
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

  app.server.removeListener('request', route)
  app.server.on('request', (request, response) => {
    if (isPlain(request)) void serve(request, response)
    else route(request, response)
  })
}

/** Never where the client goes away in the middle: there is nobody left to answer. */
function bodyOf(request: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => resolve(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()))
  return promise
}
