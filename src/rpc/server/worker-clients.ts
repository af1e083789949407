// Requests and connections of clients inside the worker: passes them to the inline channel, and its answers and events back.
import type { RpcChannel, RpcClient } from './channel.ts'
import type { RpcAnswer } from './server.ts'
import type { ClientRequests, ToClient, WorkerRequest } from './worker-messages.ts'

/** Bytes of subscriber events on their way to the other thread. Above it that thread is too busy to pass on more. */
const MAX_ON_THE_WAY_BYTES = 32_000_000

export function createWorkerClients(
  channel: Pick<RpcChannel, 'answer' | 'connect'>,
  send: (message: ToClient) => void,
): (message: ClientRequests) => void {
  const clients = new Map<number, RpcClient>()
  /** Requests over HTTP that are not answered yet. */
  const asked = new Map<number, { isGone: boolean }>()
  let onTheWay = 0

  const answerTo = ([id, text, from]: WorkerRequest): RpcAnswer | Promise<RpcAnswer> | undefined => {
    if (typeof from === 'number') return clients.get(from)?.answer(text)
    const request = { isGone: false }
    const caller = { client: from, isGone: () => request.isGone, whenGone: () => undefined }
    const answered = channel.answer(text, caller)
    if (!(answered instanceof Promise)) return answered
    asked.set(id, request)
    return answered.finally(() => asked.delete(id))
  }
  const answer = (request: WorkerRequest): void => {
    const [id] = request
    // Undefined for a connection that has been closed: nobody would receive the answer.
    const answered = answerTo(request)
    if (answered instanceof Promise) void answered.then((answer) => send(['answer', id, answer]))
    else if (answered) send(['answer', id, answered])
  }
  const connect = (connection: number, client: string): void => {
    const connected = channel.connect({
      client,
      push(ids, results) {
        if (onTheWay > MAX_ON_THE_WAY_BYTES) return send(['end', connection, 'too slow'])
        onTheWay += eventBytes(ids, results)
        send(['push', connection, ids, results])
      },
      end: (reason) => send(['end', connection, reason]),
    })
    clients.set(connection, connected)
  }

  return (message) => {
    switch (message.type) {
      case 'requests':
        for (const request of message.requests) answer(request)
        break
      case 'connect':
        connect(message.connection, message.client)
        break
      case 'close':
        clients.get(message.connection)?.close()
        clients.delete(message.connection)
        break
      case 'gone': {
        const request = asked.get(message.id)
        if (request) request.isGone = true
        break
      }
      case 'passed':
        onTheWay -= message.bytes
        break
    }
  }
}

/** Results cross the thread once for all their subscribers, so this is more than what lies in memory on the way. */
export function eventBytes(ids: readonly string[], results: readonly Uint8Array[]): number {
  return ids.length * results.reduce((sum, { length }) => sum + length, 0)
}
