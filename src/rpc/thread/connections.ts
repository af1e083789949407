// The thread's side of requests and of connections that stay. Until there is an RPC everything is refused, with the id it came with.
import { Failure } from '../../contract/failure.ts'
import { answerJsonRpc } from '../../lib/json-rpc.ts'
import { rpcErrorOf } from '../dispatch.ts'
import type { Rpc, RpcAnswer, RpcConnection } from '../rpc.ts'
import { TURN_MS } from '../turns.ts'
import type { ForClients, ThreadRequest, ToThread } from './protocol.ts'

export type Connections = {
  take(message: Exclude<ToThread, { type: 'stop' }>): void
  /** From now on this one answers. */
  serve(rpc: Rpc): void
}

export function createConnections(tell: (message: ForClients) => void): Connections {
  const open = new Map<number, { readonly connection: RpcConnection; close(): void }>()
  let rpc: Pick<Rpc, 'answer'> = NOT_READY
  let queue: readonly ThreadRequest[] = []

  const answer = ([id, text, from]: ThreadRequest): void => {
    const connection = from === null ? undefined : open.get(from)?.connection
    const tellAnswer = ({ text: told, ageMs }: RpcAnswer): void => tell(['answer', id, told, ageMs])
    const answered = rpc.answer(text, connection)
    if (answered instanceof Promise) void answered.then(tellAnswer)
    else tellAnswer(answered)
  }

  /** Many at once do not keep a flashblock waiting either. */
  const work = (): void => {
    const endMs = performance.now() + TURN_MS
    let done = 0
    while (done < queue.length && performance.now() < endMs) answer(queue[done++]!)
    queue = queue.slice(done)
    if (queue.length > 0) setImmediate(work)
  }

  return {
    take(message) {
      switch (message.type) {
        case 'requests': {
          const isWorking = queue.length > 0
          queue = isWorking ? [...queue, ...message.requests] : message.requests
          if (!isWorking) work()
          break
        }
        case 'connect': {
          const closing = new AbortController()
          const send = (text: string): boolean => {
            if (!closing.signal.aborted) tell(['push', message.connection, text])
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
