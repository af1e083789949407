// Requests as raw as node:http lets them be, over a pool of open connections. The signature is computed a second time, from
// row 3 of the decisions alone, so that a mistake in the client cannot hide one in the server.
import { createHmac } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ApiCredentials } from '../../src/client/sign.ts'

export type Sent = {
  method?: string
  /** Goes into the request line as it is. */
  target: string
  body?: string | Buffer
  headers?: OutgoingHttpHeaders
}

export type Got = { status: number; headers: IncomingHttpHeaders; text: string; code: string; msg: string }

export type Sender = {
  unsigned: (request: Sent) => Promise<Got>
  signed: (request: Sent, credentials?: ApiCredentials) => Promise<Got>
  close: () => void
}

const TIMEOUT_MS = 30_000

export function createSender(
  { url, credentials }: { url: string; credentials: ApiCredentials },
  { connections = 16 }: { connections?: number } = {},
): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const nextTimestamp = createTimestamps()

  const send = ({ method = 'GET', target, body, headers }: Sent): Promise<Got> =>
    new Promise((resolve, reject) => {
      // node:http leaves the length out where a method has no body as a rule, and the body would pass for a request.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const options = {
        agent,
        hostname,
        port,
        method,
        path: target,
        headers: { ...length, ...headers },
        timeout: TIMEOUT_MS,
      }
      const request = httpRequest(options, async (response) => {
        try {
          resolve(gotFrom(response.statusCode!, response.headers, await text(response)))
        } catch (error) {
          reject(error)
        }
      })
      request.once('timeout', () => request.destroy(new Error(`no answer to ${method} ${target.slice(0, 200)}`)))
      request.once('error', reject)
      request.end(body)
    })

  return {
    unsigned: send,
    signed: (request, by = credentials) => {
      const signature = signedHeaders(by, { ...request, timestamp: nextTimestamp() })
      const type = request.body === undefined ? {} : { 'content-type': 'application/json' }
      return send({ ...request, headers: { ...type, ...signature, ...request.headers } })
    },
    close: () => agent.destroy(),
  }
}

export function signedHeaders(
  { key, secret, passphrase }: ApiCredentials,
  { timestamp, method = 'GET', target, body = '' }: Sent & { timestamp: string },
): Record<string, string> {
  return {
    'svc-access-key': key,
    // node:http writes a target as latin1, one byte a character; so does the signature.
    'svc-access-sign': createHmac('sha256', secret)
      .update(`${timestamp}${method}${target}`, 'latin1')
      .update(body)
      .digest('base64'),
    'svc-access-timestamp': timestamp,
    'svc-access-passphrase': passphrase,
  }
}

/** No two alike: the same POST signed twice in one millisecond would be a replay. */
function createTimestamps(): () => string {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now())
    return new Date(last).toISOString()
  }
}

function gotFrom(status: number, headers: IncomingHttpHeaders, body: string): Got {
  const isJson = headers['content-type']?.startsWith('application/json') && body.startsWith('{')
  const { code = '', msg = '' } = isJson ? (JSON.parse(body) as { code?: string; msg?: string }) : {}
  return { status, headers, text: body, code, msg }
}
