// A connected client of JSON-RPC that remembers what it was sent.
import type { RpcConnection } from '../state/scope.ts'

export type RememberingConnection = {
  readonly connection: RpcConnection
  readonly sent: { readonly subscription: string; readonly result: unknown }[]
  /** Reasons for which the connection was ended. */
  readonly ends: string[]
  close(): void
}

export function connectForTests(client = 'test'): RememberingConnection {
  const closing = new AbortController()
  const sent: RememberingConnection['sent'] = []
  const ends: string[] = []
  const connection: RpcConnection = {
    client,
    push(ids, results) {
      for (const subscription of ids) {
        for (const result of results) sent.push({ subscription, result: JSON.parse(Buffer.from(result).toString()) })
      }
    },
    end: (reason) => void ends.push(reason),
    closed: closing.signal,
  }
  return { connection, sent, ends, close: () => closing.abort() }
}
