// The pending chain and its JSON-RPC in a worker, so that executing transactions does not delay HTTP, nor HTTP the pending chain. Requests
// and answers cross the thread as the text that the client sends and gets.
import { Failure } from '../../contract/failure.ts'
import { startWorker } from '../../lib/thread/start-worker.ts'
import { MAX_UNDER_WAY, type RpcChannel, tooManyUnderWay } from './channel.ts'
import type { PendingListener, PendingServiceOptions } from './pending-service.ts'
import type { RpcAnswer } from './server.ts'
import type { PendingStatus } from './status.ts'
import { createOutbox, type PendingWorker, type ToClient, type WorkerRequest } from './worker-messages.ts'

const HEAP_MB = 4_096

export function startWorkerChannel(options: PendingServiceOptions, listener: PendingListener): RpcChannel {
  const { log, onDeath } = listener
  const waiting = new Map<number, { resolve(answer: RpcAnswer): void; reject(error: Error): void }>()
  const pushes = new Map<number, (text: string) => void>()
  let status: PendingStatus | null = null
  let hasEnded = false
  let nextId = 0

  const deliver = (message: ToClient): void => {
    if (message[0] === 'push') {
      const [, connection, text] = message
      pushes.get(connection)?.(text)
      return
    }
    const [, id, text, ageMs] = message
    waiting.get(id)?.resolve({ text, ageMs })
    waiting.delete(id)
  }

  const onMessage = (message: PendingWorker['fromWorker']): void => {
    switch (message.type) {
      case 'toClients':
        for (const each of message.messages) deliver(each)
        break
      case 'flashblock':
        listener.onFlashblock(message.flashblock, message.receivedMs)
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
    for (const { reject } of waiting.values()) reject(unavailable())
    waiting.clear()
  }
  void worker.ended.then(rejectAll)
  const post = createOutbox<WorkerRequest>((requests) => worker.post({ type: 'requests', requests }))

  const request = (text: string, connection?: number): Promise<RpcAnswer> => {
    if (hasEnded) return Promise.reject(unavailable())
    if (waiting.size >= MAX_UNDER_WAY) return Promise.reject(tooManyUnderWay())
    const { promise, resolve, reject } = Promise.withResolvers<RpcAnswer>()
    const id = nextId++
    waiting.set(id, { resolve, reject })
    post([id, text, connection])
    return promise
  }

  return {
    answer: (text) => request(text),
    connect(push) {
      const connection = nextId++
      pushes.set(connection, push)
      worker.post({ type: 'connect', connection })
      return {
        answer: (text) => request(text, connection),
        close() {
          pushes.delete(connection)
          worker.post({ type: 'close', connection })
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
