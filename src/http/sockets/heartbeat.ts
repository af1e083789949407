import type { WebSocket } from 'ws'

/** Pings a client until it closes; one that leaves two pings unanswered is gone, whatever its connection says. */
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
