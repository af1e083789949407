import { type ApiCredentials, signedHeaders } from '../../src/client/sign.ts'
import type { Envelope } from '../../src/contract/endpoint.ts'

export type Answered = { status: number; headers: Headers; body: Envelope }

/** One signed request as raw as can be: the target goes out as it is given. */
export async function signedFetch(
  { url, credentials }: { url: string; credentials: ApiCredentials },
  request: { method?: string; target: string; body?: string; timestamp?: string; headers?: Record<string, string> },
): Promise<Answered> {
  const { method = 'GET', target, body = '', timestamp = new Date().toISOString() } = request
  const signed = await signedHeaders(credentials, { timestamp, method, target, body })
  const response = await fetch(url + target, {
    method,
    headers: { ...signed, ...(body && { 'content-type': 'application/json' }), ...request.headers },
    ...(body && { body }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Envelope }
}
