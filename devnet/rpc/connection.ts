// JSON-RPC over a WebSocket: requests in, answers and notifications out.
import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { serverError } from '../../src/evm/call/call-failures.ts'
import { overLimit } from './failures.ts'
import { keepAlive, sendBounded } from './socket-limits.ts'

const MAX_SUBSCRIPTIONS = 1_000

/** The connection of a request, as methods see it. */
export type Connection = {
  /** `begin` takes a function that notifies and returns a function that ends the subscription. */
  subscribe(begin: (notify: (result: unknown) => void) => () => void): Hex
  /** False if there is no such subscription. */
  unsubscribe(id: Hex): boolean
}

export function serveConnection(
  socket: WebSocket,
  answer: (connection: Connection, body: string) => Promise<string | undefined>,
): void {
  const subscriptions = new Map<Hex, () => void>()
  const connection: Connection = {
    subscribe(begin) {
      // The connection closed while the request waited, so nobody would end the subscription.
      if (socket.readyState !== socket.OPEN) throw serverError('the connection is closed')
      if (subscriptions.size >= MAX_SUBSCRIPTIONS) throw overLimit(`at most ${MAX_SUBSCRIPTIONS} subscriptions`)
      const id = bytesToHex(randomBytes(16))
      subscriptions.set(
        id,
        begin((result) => sendBounded(socket, notification(id, result))),
      )
      return id
    },
    unsubscribe(id) {
      subscriptions.get(id)?.()
      return subscriptions.delete(id)
    },
  }
  keepAlive(socket)
  socket.on('message', async (message) => {
    const text = await answer(connection, message.toString())
    if (text !== undefined) sendBounded(socket, text)
  })
  socket.on('close', () => {
    for (const id of subscriptions.keys()) connection.unsubscribe(id)
  })
}

function notification(subscription: Hex, result: unknown) {
  return JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } })
}
