import type { WebSocket } from 'ws'

/** A client that leaves two pings unanswered is disconnected, even if its connection seems open. */
export function pingUntilClosed(client: WebSocket, { everyMs, onDead }: { everyMs: number; onDead: () => void }): void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered === 2) {
      onDead()
      return client.terminate()
    }
    unanswered++
    client.ping()
  }, everyMs)
  client.on('pong', () => {
    unanswered = 0
  })
  client.on('close', () => clearInterval(timer))
}
