// The minimum that Node can do: one WebSocket frame, written to every socket.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { webSocketFrame } from '../../src/relay/websocket-frames.ts'
import { hexText, serveBlasts } from './protocol.ts'

const sockets = new Set<Duplex>()
const server = createServer()
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => sockets.delete(socket))
})

server.listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 4_096 }, () => {
  serveBlasts(({ messages, bytes }) => {
    const frame = webSocketFrame(Buffer.from(hexText(bytes)), { opcode: 'text' })
    return {
      frameBytes: Array.from({ length: messages }, () => frame.length),
      send: () => {
        for (const socket of sockets) socket.write(frame)
      },
    }
  })
})
