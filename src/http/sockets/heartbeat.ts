import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'

/**
 * A client that leaves two pings unanswered is disconnected, even if its connection seems open. Only a pong with the bytes of one of the last
 * two pings is an answer: a client that sends pongs without reading would otherwise stay for ever.
 */
export function pingUntilClosed(client: WebSocket, { everyMs, onDead }: { everyMs: number; onDead: () => void }): void {
  let unanswered: Buffer[] = []
  const timer = setInterval(() => {
    if (unanswered.length === 2) {
      onDead()
      return client.terminate()
    }
    const bytes = randomBytes(4)
    unanswered.push(bytes)
    client.ping(bytes)
  }, everyMs)
  client.on('pong', (bytes: Buffer) => {
    if (unanswered.some((ping) => ping.equals(bytes))) unanswered = []
  })
  client.on('close', () => clearInterval(timer))
}
