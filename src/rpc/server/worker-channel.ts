// The pending chain and its JSON-RPC in a thread of their own: executing transactions must not hold up HTTP, nor the reverse. Requests go
// over as the text they came in, answers come back as the text they are sent as.
import { Worker } from 'node:worker_threads'
import { Failure } from '../../contract/failure.ts'
import { type LogLevel, writeWorkerLine } from '../../lib/log.ts'
import { MAX_UNDER_WAY, type PendingListener, type RpcChannel, tooManyUnderWay } from './channel.ts'
import { createOutbox } from './outbox.ts'
import type { RpcAnswer } from './server.ts'
import type { PendingStatus } from './status.ts'
import type {
  FromWorker,
  PendingServiceOptions,
  ToClient,
  ToWorker,
  WorkerInput,
  WorkerRequest,
} from './worker-messages.ts'

export function startWorkerChannel(options: PendingServiceOptions, listener: PendingListener): RpcChannel {
  const { log } = listener
  const workerData: WorkerInput = { options, logLevel: log.level as LogLevel }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'pending',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const waiting = new Map<number, { resolve(answer: RpcAnswer): void; reject(error: Error): void }>()
  const pushes = new Map<number, (text: string) => void>()
  let status: PendingStatus | null = null
  let cause: Error | undefined
  let isStopping = false
  let isDead = false
  let ids = 0
  const tell = (message: ToWorker): void => worker.postMessage(message)
  const hand = createOutbox<WorkerRequest>((requests) => tell({ type: 'requests', requests }))

  const tellClient = (told: ToClient): void => {
    if (told[0] === 'push') {
      const [, connection, text] = told
      pushes.get(connection)?.(text)
      return
    }
    const [, id, text, ageMs] = told
    waiting.get(id)?.resolve({ text, ageMs })
    waiting.delete(id)
  }

  worker.on('message', (message: FromWorker) => {
    switch (message.type) {
      case 'log':
        writeWorkerLine(log, message.line)
        break
      case 'clients':
        for (const each of message.told) tellClient(each)
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
  })
  worker.on('error', (error) => {
    cause = error as Error
  })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  worker.on('exit', (code) => {
    isDead = true
    for (const { reject } of waiting.values()) reject(unavailable())
    waiting.clear()
    if (!isStopping) listener.onDeath(cause ?? new Error(`The pending thread ended with code ${code}`))
    end()
  })

  const request = (text: string, connection: number | null): Promise<RpcAnswer> => {
    if (isDead) return Promise.reject(unavailable())
    if (waiting.size >= MAX_UNDER_WAY) return Promise.reject(tooManyUnderWay())
    const { promise, resolve, reject } = Promise.withResolvers<RpcAnswer>()
    const id = ids++
    waiting.set(id, { resolve, reject })
    hand([id, text, connection])
    return promise
  }

  return {
    answer: (text) => request(text, null),
    connect(push) {
      const connection = ids++
      pushes.set(connection, push)
      tell({ type: 'connect', connection })
      return {
        answer: (text) => request(text, connection),
        close() {
          pushes.delete(connection)
          tell({ type: 'close', connection })
        },
      }
    },
    status: () => status,
    async stop() {
      isStopping = true
      tell({ type: 'stop' })
      await ended
    },
  }
}

const HEAP_MB = 4_096

function unavailable() {
  return new Failure('notReady', 'Service temporarily unavailable: the pending chain has ended.')
}
