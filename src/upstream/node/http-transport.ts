// JSON-RPC over HTTP on connections that stay open: one exchange, within its time and size, or an `ExchangeFailure`.
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { ExchangeFailure } from './failures.ts'
import type { Transport, TransportLimits } from './json-rpc.ts'
import { type Answer, answersIn, type RpcCall, requestText } from './json-rpc.ts'

export function createHttpTransport(url: string, { timeoutMs, maxBytes }: TransportLimits): Transport {
  const isSecure = url.startsWith('https:')
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  return {
    async exchange(calls, signal) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const text = await post({ url, agent, body: requestText(calls, 0), maxBytes, signal: limit })
      return answersFrom(text, calls)
    },
    close: () => agent.destroy(),
  }
}

type Post = { url: string; agent: Agent; body: string; maxBytes: number; signal: AbortSignal }

function post({ url, agent, body, maxBytes, signal }: Post): Promise<string> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const outgoing = send(url, { method: 'POST', agent, headers, signal })
  outgoing.on('error', (cause) => reject(failureFrom(cause, signal)))
  outgoing.on('response', (incoming) => {
    const chunks: Buffer[] = []
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) incoming.destroy(new ExchangeFailure('too large', `answer is over ${maxBytes} bytes`))
      else chunks.push(chunk)
    })
    incoming.on('error', (cause) => reject(failureFrom(cause, signal)))
    incoming.on('end', () => {
      const failure = failureOfStatus(incoming)
      if (failure === null) resolve(Buffer.concat(chunks, bytes).toString())
      else reject(failure)
    })
  })
  outgoing.end(body)
  return promise
}

function answersFrom(text: string, calls: readonly RpcCall[]): Answer[] {
  let response: unknown
  try {
    response = JSON.parse(text)
  } catch (cause) {
    throw new ExchangeFailure('unreadable', `answer is no JSON: ${text.slice(0, SHOWN_CHARS)}`, { cause })
  }
  const answers = answersIn(response, 0, calls.length)
  if (answers !== undefined) return answers
  const kind = calls.length > 1 && !Array.isArray(response) ? 'batch refused' : 'unreadable'
  throw new ExchangeFailure(kind, `answer fits no question: ${text.slice(0, SHOWN_CHARS)}`)
}

function failureFrom(cause: Error, signal: AbortSignal): Error {
  if (cause instanceof ExchangeFailure) return cause
  if (signal.aborted && signal.reason?.name === 'TimeoutError')
    return new ExchangeFailure('timeout', 'no answer in time')
  return new ExchangeFailure('unreachable', cause.message, { cause })
}

function failureOfStatus({ statusCode = 0, headers }: IncomingMessage): ExchangeFailure | null {
  if (statusCode === TOO_MANY || statusCode === UNAVAILABLE) {
    const retryAfterMs = Number(headers['retry-after']) * 1000
    const message = `HTTP ${statusCode}: too many requests`
    return new ExchangeFailure('throttled', message, Number.isFinite(retryAfterMs) ? { retryAfterMs } : {})
  }
  if (statusCode === TOO_LARGE) return new ExchangeFailure('too large', 'HTTP 413: request too large')
  // Nodes answer refusals with 4xx and a readable body; that of a gateway is not JSON and fails there.
  return statusCode >= 500 ? new ExchangeFailure('server', `HTTP ${statusCode}`) : null
}

const TOO_LARGE = 413
const TOO_MANY = 429
const UNAVAILABLE = 503
const SHOWN_CHARS = 80
