// Subscriber events of JSON-RPC as WebSocket frames. The bytes of a result are written to every socket as they are, not copied: only the few
// bytes around them are made for each subscription.
import type { Socket } from 'node:net'
import { frameStart } from '../../relay/websocket-frames.ts'
import type { EventText } from '../../rpc/state/scope.ts'

const END = Buffer.from('}}')

/** The socket must not be compressed by an extension, and nothing else may be in the middle of a frame. */
export function writeEvents(socket: Socket, ids: readonly string[], results: readonly EventText[]): void {
  socket.cork()
  for (const id of ids) {
    const start = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":`
    for (const result of results) {
      const frame = frameStart(start.length + result.length + END.length, { opcode: 'text' }, start.length)
      frame.write(start, frame.length - start.length, 'latin1')
      socket.write(frame)
      socket.write(result)
      socket.write(END)
    }
  }
  socket.uncork()
}
