// The thread's side of requests and of connections that stay.

import { TIME_SLICE_MS } from '../state/time-slices.ts'
import type { RpcAnswer, RpcConnection, RpcServer } from './server.ts'
import type { ToClient, ToWorker, WorkerRequest } from './worker-messages.ts'

export type Connections = {
  take(message: Exclude<ToWorker, { type: 'stop' }>): void
}

export function createConnections(rpc: Pick<RpcServer, 'answer'>, tell: (message: ToClient) => void): Connections {
  const open = new Map<number, { readonly connection: RpcConnection; close(): void }>()
  let queue: readonly WorkerRequest[] = []

  const answer = ([id, text, from]: WorkerRequest): void => {
    const connection = from === null ? undefined : open.get(from)?.connection
    const tellAnswer = ({ text: told, ageMs }: RpcAnswer): void => tell(['answer', id, told, ageMs])
    const answered = rpc.answer(text, connection)
    if (answered instanceof Promise) void answered.then(tellAnswer)
    else tellAnswer(answered)
  }

  /** Many at once do not keep a flashblock waiting either. */
  const work = (): void => {
    const endMs = performance.now() + TIME_SLICE_MS
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
  }
}
