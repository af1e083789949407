// The Etherscan-style facade over HTTP: GET and POST with parameters in the query, in a form, or in both, at /api and where one
// vendor's tools look for it. The key is the `apikey` parameter. Refusals have the facade's own form, with status 200 where its
// clients look only at the body.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EtherscanFacade } from '../../compat/etherscan/facade.ts'
import type { EtherscanQuery } from '../../compat/etherscan/query.ts'
import { Failure, type FailureKey } from '../../contract/failure.ts'
import type { Log } from '../../lib/log.ts'
import type { Admission } from '../admission/admission.ts'
import { failureOf } from '../admission/failures.ts'
import { LazyRequestContext, withinTime } from '../admission/request-context.ts'

/** Room for a source of ten megabytes after its encoding as a form. */
const MAX_FORM_BYTES = 15_000_000

/** What clients look for at the start of `result`. For a full queue the dialect has no words of its own; these are what clients wait after. */
const spelled: Partial<Record<FailureKey, (message: string) => string>> = {
  keyMissing: () => 'Missing/Invalid API Key',
  keyUnknown: () => 'Invalid API Key',
  tooManyRequests: rateLimited,
  queueFull: rateLimited,
}

function rateLimited(message: string): string {
  return `Max rate limit reached. ${message}`
}

/** What tools ask that know no key, or make one up. */
const KEYLESS: ReadonlySet<string> = new Set([
  'getabi',
  'getsourcecode',
  'verifysourcecode',
  'checkverifystatus',
  'verifyproxycontract',
  'checkproxyverification',
  // For the constructor's arguments, which forge can guess from the creation.
  'getcontractcreation',
])

export type EtherscanRoutes = {
  admission: Admission
  answer: EtherscanFacade
  log: Log
  /** Paths of the facade besides /api. */
  paths: readonly string[]
  /** Sources are read and submitted without a key, too. */
  isVerifyingOpen: boolean
}

/** Where one vendor's tools look for it, with the chain in the usual cases. */
export function pluginPaths(segments: readonly string[], chain: string): string[] {
  const spellings = [...new Set([chain, chain.toUpperCase(), chain.toLowerCase()])]
  return segments.flatMap((segment) =>
    spellings.map((each) => `/api/v5/${segment}/contract/verify-source-code-plugin/${each}`),
  )
}

export function addEtherscanRoutes(app: FastifyInstance, options: EtherscanRoutes): void {
  const { admission, answer, log, paths, isVerifyingOpen } = options

  const admit = async (query: EtherscanQuery, request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await admission.admitKey(query.apikey, request, reply)
    } catch (error) {
      if (!isVerifyingOpen || !isKeyRefusal(error) || !isKeyless(query)) throw error
      return undefined
    }
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error, request.id)
      if (failure.key === 'internal') log.error({ requestId: request.id, error: failure.cause ?? failure }, 'bug')
      const result = spelled[failure.key]?.(failure.message)
      if (failure.retryAfterS !== undefined) reply.header('retry-after', failure.retryAfterS)
      return reply
        .status(result === undefined ? failure.refusal.status : 200)
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify({ status: '0', message: 'NOTOK', result: result ?? failure.message }))
    })
    for (const url of ['/api', ...paths]) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        bodyLimit: MAX_FORM_BYTES,
        config: { label: 'etherscan' },
        onRequest: admission.limitAddress,
        handler: async (request, reply) => {
          const query = { ...formOf(request.body), ...queryOf(request.query as Record<string, unknown>) }
          const key = await admit(query, request, reply)
          const context = new LazyRequestContext(request, key)
          const answered = await withinTime(answer(query, context.client), context)
          return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answered))
        },
      })
    }
  })
}

function isKeyRefusal(error: unknown): boolean {
  return error instanceof Failure && (error.key === 'keyMissing' || error.key === 'keyUnknown')
}

function isKeyless({ module, action }: EtherscanQuery): boolean {
  return module?.toLowerCase() === 'contract' && KEYLESS.has(action?.toLowerCase() ?? '')
}

function formOf(body: unknown): EtherscanQuery {
  if (!(body instanceof Buffer)) return {}
  const form = new URLSearchParams(body.toString())
  return queryOf(Object.fromEntries([...new Set(form.keys())].map((name) => [name, form.getAll(name)])))
}

/** Of a parameter that is repeated the first value counts, but `balancemulti` takes every address. */
function queryOf(parameters: Record<string, unknown>): EtherscanQuery {
  const query = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, valuesOf(value)[0]]))
  if (query.action?.toLowerCase() !== 'balancemulti') return query
  return { ...query, address: valuesOf(parameters.address).join(',') }
}

function valuesOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value ?? '']).map(String)
}
