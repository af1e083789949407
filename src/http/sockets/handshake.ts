// Refusing handshakes and closing open sockets, the same for every WebSocket of the server.
import type { Duplex } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { WebSocket } from 'ws'
import { Failure } from '../../contract/failure.ts'
import { refusedFrom } from '../admission/envelope.ts'

const STOP_TIMEOUT_MS = 1_000
const SERVICE_RESTART = 1012

export function refuseHandshake(error: Error, socket: Duplex): void {
  const { status, text } = refusedFrom(
    new Failure('malformedRequest', `Invalid WebSocket handshake: ${error.message}.`),
  )
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close\r\n`
  socket.end(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}

export function sendUpgradeRequired(reply: FastifyReply, failure: Failure): FastifyReply {
  return reply
    .status(426)
    .header('upgrade', 'websocket')
    .header('content-type', 'application/json; charset=utf-8')
    .send(refusedFrom(failure).text)
}

export async function closeAll(clients: ReadonlySet<WebSocket>): Promise<void> {
  const closing = Array.from(clients, (client) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    client.once('close', () => resolve())
    client.close(SERVICE_RESTART, 'service restart')
    return promise
  })
  const timer = setTimeout(() => {
    for (const client of clients) client.terminate()
  }, STOP_TIMEOUT_MS)
  await Promise.all(closing)
  clearTimeout(timer)
}
