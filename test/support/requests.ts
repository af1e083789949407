// Two requests that a server accepts once they are signed, and how to see that it did.
import type { Sent } from './sender.ts'

/** What an endpoint answers once a request got to its handler, as long as there is no data behind it. */
export const ACCEPTED = { status: 503, code: '50001' }

export const GET: Sent = { target: '/api/v5/chain/block/block-list?chainShortName=DEV' }
export const POST: Sent = {
  method: 'POST',
  target: '/api/v5/chain/contract/check-verify-result',
  body: JSON.stringify({ chainShortName: 'DEV', guid: 'eb5c06099d3841359d398541166343fe' }),
  headers: { 'content-type': 'application/json' },
}

export function withHeaders(request: Sent, headers: Record<string, string>): Sent {
  return {
    ...request,
    headers: { ...request.headers, ...headers },
  }
}
