// Requests over loopback from an address of one's own: all of 127.0.0.0/8 is this machine, so attacker and honest client are two visitors.
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { WebSocket } from 'ws'

export const HONEST_ADDRESS = '127.0.0.2'
export const ATTACKER_ADDRESS = '127.0.0.3'

export type Response = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

const TIMEOUT_MS = 60_000

export type Visitor = {
  readonly url: string
  send(target: string, options?: RequestOptions & { readonly payload?: string | Buffer }): Promise<Response>
  rpc(payload: unknown): Promise<Response>
  socket(path: string, perMessageDeflate?: boolean): WebSocket
  close(): void
}

export function visitorFrom(address: string, url: string, maxSockets: number): Visitor {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const send: Visitor['send'] = (target, { payload, ...options } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        new URL(target, url),
        { agent, localAddress: address, timeout: TIMEOUT_MS, ...options },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)))
      sent.on('error', reject)
      sent.end(payload)
    })
  return {
    url,
    send,
    rpc: (payload) =>
      send('/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      }),
    socket: (path, perMessageDeflate = false) =>
      new WebSocket(new URL(path, url.replace('http', 'ws')), { localAddress: address, perMessageDeflate }),
    close: () => agent.destroy(),
  }
}
