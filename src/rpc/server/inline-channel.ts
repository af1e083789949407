// The pending chain and its JSON-RPC in the calling thread, for a process that does nothing else (`ROLES=rpc`): sending a call to another
// thread and back costs more than executing it.

import type { Caller } from '../state/client-work.ts'
import type { RpcConnection } from '../state/scope.ts'
import { createRequestsUnderWay, type RpcChannel } from './channel.ts'
import { type PendingListener, type PendingServiceOptions, startPendingService } from './pending-service.ts'
import type { RpcAnswer } from './server.ts'

export function startInlineChannel(options: PendingServiceOptions, listener: PendingListener): RpcChannel {
  const service = startPendingService(options, listener)
  const underWay = createRequestsUnderWay()
  service.ended.catch(listener.onDeath)

  const answer = (text: string, caller: Caller, connection?: RpcConnection): RpcAnswer | Promise<RpcAnswer> => {
    const { client } = caller
    underWay.begin(client)
    const answered = service.answer(text, caller, connection)
    if (answered instanceof Promise) return answered.finally(() => underWay.end(client))
    underWay.end(client)
    return answered
  }

  return {
    answer: (text, caller) => answer(text, caller),
    connect({ client, push, end }) {
      const closing = new AbortController()
      const { signal } = closing
      const connection: RpcConnection = {
        client,
        closed: signal,
        push(ids, results) {
          if (!signal.aborted) push(ids, results)
        },
        end(reason) {
          if (!signal.aborted) end(reason)
        },
      }
      const caller: Caller = { client, isGone: () => signal.aborted }
      return { answer: (text) => answer(text, caller, connection), close: () => closing.abort() }
    },
    status: service.status,
    async stop() {
      service.stop()
      await service.ended.catch(() => undefined)
    },
  }
}
