// The pending chain and its JSON-RPC in the calling thread, for a process that does nothing else (`ROLES=rpc`): sending a call to another
// thread and back costs more than executing it.
import type { RpcConnection } from '../state/scope.ts'
import { MAX_UNDER_WAY, type RpcChannel, tooManyUnderWay } from './channel.ts'
import { type PendingListener, type PendingServiceOptions, startPendingService } from './pending-service.ts'
import type { RpcAnswer } from './server.ts'

export function startInlineChannel(options: PendingServiceOptions, listener: PendingListener): RpcChannel {
  const service = startPendingService(options, listener)
  let underWay = 0
  service.ended.catch(listener.onDeath)

  const counted = async (answered: Promise<RpcAnswer>): Promise<RpcAnswer> => {
    underWay++
    try {
      return await answered
    } finally {
      underWay--
    }
  }
  const answer = (text: string, connection?: RpcConnection): RpcAnswer | Promise<RpcAnswer> => {
    if (underWay >= MAX_UNDER_WAY) throw tooManyUnderWay()
    const answered = service.answer(text, connection)
    return answered instanceof Promise ? counted(answered) : answered
  }

  return {
    answer: (text) => answer(text),
    connect(push) {
      const closing = new AbortController()
      const send = (text: string): boolean => {
        if (!closing.signal.aborted) push(text)
        return !closing.signal.aborted
      }
      const connection: RpcConnection = { send, closed: closing.signal }
      return { answer: (text) => answer(text, connection), close: () => closing.abort() }
    },
    status: service.status,
    async stop() {
      service.stop()
      await service.ended.catch(() => undefined)
    },
  }
}
