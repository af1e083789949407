// Every WebSocket is pinged to find dead peers, and closed if the client reads too slowly.
import { WebSocket } from 'ws'

const PING_INTERVAL_MS = 20_000
/** Bytes that may wait for one client. */
const MAX_WAITING_BYTES = 16_000_000

/** Ends the connection when a ping is not answered before the next one. */
export function keepAlive(socket: WebSocket): void {
  let answered = true
  const timer = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, PING_INTERVAL_MS)
  socket.on('pong', () => {
    answered = true
  })
  socket.on('close', () => clearInterval(timer))
  // A broken connection closes by itself, but without a listener its error would end the process.
  socket.on('error', () => undefined)
}

/** Closes a client whose unread messages exceed the limit. */
export function sendBounded(socket: WebSocket, text: string): void {
  if (socket.readyState !== WebSocket.OPEN) return
  if (socket.bufferedAmount + text.length > MAX_WAITING_BYTES) socket.terminate()
  else socket.send(text)
}
