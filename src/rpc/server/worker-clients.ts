// Requests and connections of clients inside the worker: passes them to the inline channel, in time slices.
import { TIME_SLICE_MS } from '../state/time-slices.ts'
import type { RpcChannel, RpcClient } from './channel.ts'
import type { RpcAnswer } from './server.ts'
import type { ClientRequests, ToClient, WorkerRequest } from './worker-messages.ts'

export function createWorkerClients(
  channel: Pick<RpcChannel, 'answer' | 'connect'>,
  send: (message: ToClient) => void,
): (message: ClientRequests) => void {
  const clients = new Map<number, RpcClient>()
  let queue: readonly WorkerRequest[] = []

  const answer = ([id, text, connection]: WorkerRequest): void => {
    // A request of a connection that has been closed is answered as one over HTTP; nobody receives the answer.
    const client = (connection === undefined ? undefined : clients.get(connection)) ?? channel
    const sendAnswer = ({ text, ageMs }: RpcAnswer): void => send(['answer', id, text, ageMs])
    const answered = client.answer(text)
    if (answered instanceof Promise) void answered.then(sendAnswer)
    else sendAnswer(answered)
  }

  /** After each time slice the event loop does a round, so that a flashblock need not wait for the whole queue. */
  const work = (): void => {
    const endMs = performance.now() + TIME_SLICE_MS
    let done = 0
    while (done < queue.length && performance.now() < endMs) answer(queue[done++]!)
    queue = queue.slice(done)
    if (queue.length > 0) setImmediate(work)
  }

  return (message) => {
    switch (message.type) {
      case 'requests': {
        const isWorking = queue.length > 0
        queue = isWorking ? [...queue, ...message.requests] : message.requests
        if (!isWorking) work()
        break
      }
      case 'connect': {
        const { connection } = message
        clients.set(
          connection,
          channel.connect((text) => send(['push', connection, text])),
        )
        break
      }
      case 'close':
        clients.get(message.connection)?.close()
        clients.delete(message.connection)
        break
    }
  }
}
