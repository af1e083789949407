// Bun's own publish to a topic, which is written in C++. Runs under Bun only.
import { hexText, serveBlasts } from './protocol.ts'

type BunSocket = { subscribe: (topic: string) => void }
type BunServer = {
  upgrade: (request: Request) => boolean
  publish: (topic: string, text: string) => void
}
declare const Bun: {
  serve: (options: {
    port: number
    hostname: string
    fetch: (request: Request, server: BunServer) => Response | undefined
    websocket: { perMessageDeflate: boolean; open: (socket: BunSocket) => void; message: () => void }
  }) => BunServer
}

const HEAD_BYTES = 4

const server = Bun.serve({
  port: Number(process.argv[2]),
  hostname: '127.0.0.1',
  fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('no handshake', { status: 400 })),
  websocket: { perMessageDeflate: false, open: (socket) => socket.subscribe('feed'), message: () => undefined },
})

serveBlasts(({ messages, bytes }) => {
  const text = hexText(bytes)
  return {
    frameBytes: Array.from({ length: messages }, () => HEAD_BYTES + text.length),
    send: () => server.publish('feed', text),
  }
})
