// A typed client of the explorer API: one method an endpoint, signing inside, derived from the contract. Runs in Node and in
// a browser.
import type { Endpoint, Envelope, InputOf } from '../contract/endpoint.ts'
import { type EndpointName, type Endpoints, endpoints } from '../contract/endpoints.ts'
import { type ApiCredentials, signedHeaders } from './sign.ts'

export type ClientOptions = {
  /** Such as `http://127.0.0.1:8545`. */
  baseUrl: string
  credentials: ApiCredentials
  /** How often a request that the server asks to repeat later is repeated. */
  retries?: number
  /** Path segment that stands for the chain. */
  segment?: string
  nowMs?: () => number
}

/** The server refused, with its own code and words. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Empty where the answer did not come from the API. */
  readonly code: string
  readonly status: number
  readonly requestId: string

  constructor(refusal: { code: string; status: number; message: string; requestId: string }) {
    super(refusal.message)
    this.code = refusal.code
    this.status = refusal.status
    this.requestId = refusal.requestId
  }
}

export type Client = {
  readonly [N in EndpointName]: (
    params: InputOf<Endpoints[N]>,
    options?: { signal?: AbortSignal },
  ) => Promise<Envelope<Endpoints[N]>>
}

const TIMEOUT_MS = 30_000
const MAX_WAIT_S = 30

export function createClient(options: ClientOptions): Client {
  return Object.fromEntries(
    Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [
      name,
      (params: Record<string, unknown>, { signal }: { signal?: AbortSignal } = {}) =>
        callEndpoint(options, endpoint, params, signal),
    ]),
  ) as unknown as Client
}

async function callEndpoint(
  options: ClientOptions,
  endpoint: Endpoint,
  params: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<Envelope> {
  for (let attempt = 0; ; attempt++) {
    const response = await send(options, endpoint, params, signal)
    const envelope = await envelopeOf(response)
    if (response.ok && envelope?.code === '0') return envelope
    const waitS = Number(response.headers.get('retry-after'))
    const again = attempt < (options.retries ?? 0) && response.headers.has('retry-after') && waitS <= MAX_WAIT_S
    if (!again) throw apiError(response, envelope)
    await pause(waitS * 1000, signal)
  }
}

async function send(
  { baseUrl, credentials, segment = 'chain', nowMs = Date.now }: ClientOptions,
  { method, path }: Endpoint,
  params: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const query = method === 'GET' ? queryOf(params) : ''
  const body = method === 'POST' ? JSON.stringify(params) : ''
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/api/v5/${segment}${path}${query}`)
  const timestamp = new Date(nowMs()).toISOString()
  const headers = await signedHeaders(credentials, { timestamp, method, target: url.pathname + url.search, body })
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  return fetch(url, {
    method,
    headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    ...(body && { body }),
  })
}

function queryOf(params: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value))
  return query.size > 0 ? `?${query}` : ''
}

/** Undefined where something else than the API answered, such as a gateway with a page of its own. */
async function envelopeOf(response: Response): Promise<Envelope | undefined> {
  const text = await response.text()
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && 'code' in json && 'data' in json
      ? (json as Envelope)
      : undefined
  } catch {
    return undefined
  }
}

function apiError({ status, headers }: Response, envelope: Envelope | undefined): ApiError {
  const requestId = headers.get('x-request-id') ?? ''
  if (envelope !== undefined) return new ApiError({ code: envelope.code, status, message: envelope.msg, requestId })
  return new ApiError({ code: '', status, message: `not an answer of the API, with status ${status}`, requestId })
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
