// The pending chain and its JSON-RPC in a worker, so that executing transactions does not delay HTTP, nor HTTP the pending chain. Requests
// and answers cross the thread as the text that the client sends and gets.
import { Failure } from '../../contract/failure.ts'
import { startWorker } from '../../lib/thread/start-worker.ts'
import { type ConnectedClient, createRequestsUnderWay, type RpcChannel } from './channel.ts'
import type { PendingListener, PendingServiceOptions } from './pending-service.ts'
import type { RpcAnswer } from './server.ts'
import type { PendingStatus } from './status.ts'
import { eventBytes } from './worker-clients.ts'
import { createOutbox, type PendingWorker, type ToClient, type WorkerRequest } from './worker-messages.ts'

const HEAP_MB = 4_096

export function startWorkerChannel(options: PendingServiceOptions, listener: PendingListener): RpcChannel {
  const { log, onDeath } = listener
  const waiting = new Map<number, { client: string; resolve(answer: RpcAnswer): void; reject(error: Error): void }>()
  const underWay = createRequestsUnderWay()
  const connections = new Map<number, ConnectedClient>()
  let status: PendingStatus | null = null
  let hasEnded = false
  let nextId = 0

  const settle = (id: number): ReturnType<typeof waiting.get> => {
    const request = waiting.get(id)
    if (!request) return undefined
    waiting.delete(id)
    underWay.end(request.client)
    return request
  }
  /** Returns the bytes of events that were passed on. */
  const deliver = (message: ToClient): number => {
    switch (message[0]) {
      case 'answer':
        settle(message[1])?.resolve(message[2])
        return 0
      case 'push': {
        const [, connection, ids, results] = message
        connections.get(connection)?.push(ids, results)
        return eventBytes(ids, results)
      }
      case 'end':
        connections.get(message[1])?.end(message[2])
        return 0
    }
  }
  const deliverAll = (messages: readonly ToClient[]): void => {
    let bytes = 0
    for (const message of messages) bytes += deliver(message)
    if (bytes > 0) worker.post({ type: 'passed', bytes })
  }

  const onMessage = (message: PendingWorker['fromWorker']): void => {
    switch (message.type) {
      case 'toClients':
        deliverAll(message.messages)
        break
      case 'flashblock':
        listener.onFlashblock(message.flashblock)
        break
      case 'processed':
        listener.onProcessed(message.ms)
        break
      case 'status':
        status = message.status
        break
      case 'ledger':
        listener.onLedgerEvents?.(message.events)
        break
    }
  }

  const worker = startWorker<PendingWorker>({
    name: 'pending',
    file: new URL('./worker.ts', import.meta.url),
    input: options,
    log,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    onMessage,
    onDeath,
  })
  const rejectAll = (): void => {
    hasEnded = true
    for (const id of [...waiting.keys()]) settle(id)?.reject(unavailable())
  }
  void worker.ended.then(rejectAll)
  const post = createOutbox<WorkerRequest>((requests) => worker.post({ type: 'requests', requests }))

  const request = (text: string, client: string, from: number | string): { id: number; answer: Promise<RpcAnswer> } => {
    if (hasEnded) throw unavailable()
    underWay.begin(client)
    const { promise, resolve, reject } = Promise.withResolvers<RpcAnswer>()
    const id = nextId++
    waiting.set(id, { client, resolve, reject })
    post([id, text, from])
    return { id, answer: promise }
  }

  return {
    answer(text, caller) {
      const { id, answer } = request(text, caller.client, caller.client)
      caller.whenGone(() => worker.post({ type: 'gone', id }))
      return answer
    },
    connect(connected) {
      const connection = nextId++
      const { client } = connected
      const own = new Set<number>()
      connections.set(connection, connected)
      worker.post({ type: 'connect', connection, client })
      return {
        async answer(text) {
          const { id, answer } = request(text, client, connection)
          own.add(id)
          try {
            return await answer
          } finally {
            own.delete(id)
          }
        },
        close() {
          connections.delete(connection)
          worker.post({ type: 'close', connection })
          // The worker does not answer what was under way.
          for (const id of own) settle(id)?.reject(new Error('the connection was closed'))
        },
      }
    },
    status: () => status,
    async stop() {
      await worker.stop()
    },
  }
}

function unavailable(): Failure {
  return new Failure('notReady', 'Service temporarily unavailable: the pending chain has ended.')
}
