// The explorer API: one route an endpoint and path alias, all derived from the contract. The order is always the same:
// rate of the address, credentials, body, signature, rate of the key, parameters, chain, handler.

import type { FastifyInstance } from 'fastify'
import type { Credentials } from '../../access/authenticate.ts'
import { type Answer, type Endpoint, paramsFrom } from '../../contract/endpoint.ts'
import {
  type BegunRequest,
  type EndpointName,
  endpoints,
  type Handlers,
  type RequestContext,
} from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import { parseJson } from '../../lib/json/parse-json.ts'
import type { Admission } from '../admission/admission.ts'
import { successBytes } from '../admission/envelope.ts'
import { LazyRequestContext, withinTime } from '../admission/request-context.ts'
import type { ResponseCache } from './response-cache.ts'
import { type Ask, sendDownload, streamFormatOf } from './streams.ts'

/** Bodies of a few names and a guid. */
const SMALL_BODY_BYTES = 16_384
const MAX_NESTING = 8
const NO_BODY = new Uint8Array(0)

declare module 'fastify' {
  interface FastifyRequest {
    credentials: Credentials | 'unsigned'
  }
  interface FastifyContextConfig {
    /** Label of the route in metrics. */
    label?: string
  }
}

type Begin = (params: object) => Promise<BegunRequest>
/** A handler whose endpoint is only known at run time; its parameters come from the same endpoint. */
type AnyHandler = {
  (params: object, context: RequestContext): Promise<Answer<Endpoint>> | Answer<Endpoint>
  readonly begin?: Begin
}

export function addExplorerRoutes(
  app: FastifyInstance,
  options: {
    admission: Admission
    handlers: Handlers
    responses: ResponseCache
    chainShortName: string
    segments: readonly string[]
  },
): void {
  const { admission, handlers, responses, segments } = options
  const chain = options.chainShortName.toLowerCase()
  app.decorateRequest('credentials', 'unsigned')

  const bytesFor = (
    name: string,
    handle: AnyHandler,
    params: object,
    context: RequestContext,
  ): Buffer | Promise<Buffer> => {
    if (handle.begin) return cachedBytes(name, handle.begin, params)
    const answer = handle(params, context)
    return answer instanceof Promise ? answer.then(successBytes) : successBytes(answer)
  }
  const cachedBytes = async (name: string, begin: Begin, params: object): Promise<Buffer> => {
    const { chainVersion, answer } = await begin(params)
    const made = { isVolatile: false }
    const make = async () => {
      const given = await answer()
      made.isVolatile = given.isVolatile === true
      return successBytes(given)
    }
    if (chainVersion === undefined) return make()
    return responses.bytesOf({ endpoint: name, params, chainVersion }, make, () => !made.isVolatile)
  }

  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const handle = handlers[name as EndpointName] as AnyHandler
    for (const segment of segments) {
      app.route({
        method: endpoint.method,
        url: `/api/v5/${segment}${endpoint.path}`,
        bodyLimit: endpoint.bodyLimit ?? SMALL_BODY_BYTES,
        exposeHeadRoute: false,
        config: { label: endpoint.id },
        onRequest: async (request, reply) => {
          request.credentials = await admission.readCredentials(request, reply)
        },
        handler: async (request, reply) => {
          const body = request.body instanceof Uint8Array ? request.body : NO_BODY
          const key = await admission.admitSigned(request.credentials, request, reply, body)
          const raw = endpoint.method === 'GET' ? (request.query as Record<string, unknown>) : objectFrom(body)
          const params = paramsFrom(endpoint, raw)
          refuseOtherChain(params, chain, options.chainShortName)
          const context = new LazyRequestContext(request, key)
          const format = endpoint.method === 'GET' ? streamFormatOf(request.headers.accept) : undefined
          if (format) {
            const ask: Ask = async (paging) =>
              withinTime(Promise.resolve(handle({ ...params, ...paging }, context)), context)
            return sendDownload(reply, { format, ask })
          }
          const answer = bytesFor(name, handle, params, context)
          const bytes = answer instanceof Promise ? await withinTime(answer, context) : answer
          return reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
        },
      })
    }
  }
}

function refuseOtherChain(params: { chainShortName?: unknown }, chain: string, spelled: string): void {
  const asked = String(params.chainShortName)
  if (asked.toLowerCase() === chain) return
  throw new Failure(
    'unknownChain',
    `This chain does not currently support: ${asked}. This service has the chain ${spelled}.`,
  )
}

function objectFrom(body: Uint8Array): Record<string, unknown> {
  if (body.length === 0) throw new Failure('bodyEmpty', 'Body can not be empty.')
  let json: unknown
  try {
    json = parseJson(strictUtf8.decode(body))
  } catch (error) {
    throw new Failure('bodyNotJson', 'Json data format error.', { cause: error })
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new Failure('bodyNotJson', 'Json data format error: the body must be an object.')
  }
  if (nestsDeeperThan(json, MAX_NESTING)) {
    throw new Failure('bodyNotJson', `Json data format error: nested deeper than ${MAX_NESTING}.`)
  }
  return json as Record<string, unknown>
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function nestsDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  return Object.values(value).some((each) => nestsDeeperThan(each, depth - 1))
}
