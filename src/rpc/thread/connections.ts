// The thread's side of requests and of connections that stay. Until there is an RPC everything is refused, with the id it came with.
import { Failure } from '../../contract/failure.ts'
import { answerJsonRpc } from '../../lib/json-rpc.ts'
import { rpcErrorOf } from '../dispatch.ts'
import type { Rpc, RpcAnswer, RpcConnection } from '../rpc.ts'
import type { FromThread, ToThread } from './protocol.ts'

export type Connections = {
  take(message: Exclude<ToThread, { type: 'stop' }>): void
  /** From now on this one answers. */
  serve(rpc: Rpc): void
}

export function createConnections(tell: (message: FromThread) => void): Connections {
  const open = new Map<number, { readonly connection: RpcConnection; close(): void }>()
  let rpc: Pick<Rpc, 'answer'> = NOT_READY

  return {
    take(message) {
      switch (message.type) {
        case 'request': {
          const { id, text } = message
          const connection = message.connection === null ? undefined : open.get(message.connection)?.connection
          void rpc.answer(text, connection).then((answer) => tell({ type: 'answer', id, answer }))
          break
        }
        case 'connect': {
          const closing = new AbortController()
          const send = (text: string): boolean => {
            if (!closing.signal.aborted) tell({ type: 'push', connection: message.connection, text })
            return !closing.signal.aborted
          }
          open.set(message.connection, {
            connection: { send, closed: closing.signal },
            close: () => closing.abort(),
          })
          break
        }
        case 'close':
          open.get(message.connection)?.close()
          open.delete(message.connection)
          break
      }
    },
    serve(ready) {
      rpc = ready
    },
  }
}

const NOT_READY: Pick<Rpc, 'answer'> = {
  async answer(text): Promise<RpcAnswer> {
    const refuse = (): never => {
      throw rpcErrorOf(new Failure('notReady', 'Service temporarily unavailable: the node has not answered yet.'))
    }
    const server = { call: refuse, onBug: refuse, maxBatch: 1_000, maxResponseChars: 1_000_000 }
    return { text: await answerJsonRpc(server, text), ageMs: null }
  },
}
