// The pending chain and its JSON-RPC in a thread of their own: executing transactions must not hold up HTTP, nor the reverse. Requests go
// over as the text they came in, answers come back as the text they are sent as.
import { Worker } from 'node:worker_threads'
import { Failure } from '../../contract/failure.ts'
import { type LogLevel, logLine } from '../../lib/log.ts'
import { createOutbox } from './outbox.ts'
import { MAX_UNDER_WAY, type PendingListener, type PendingRpc, tooManyUnderWay } from './pending-rpc.ts'
import type { ForClients, FromThread, RpcThreadOptions, ThreadInput, ThreadRequest, ToThread } from './protocol.ts'
import type { RpcAnswer } from './rpc.ts'
import type { PendingStatus } from './status.ts'

export function startRpcWorker(options: RpcThreadOptions, listener: PendingListener): PendingRpc {
  const { log } = listener
  const workerData: ThreadInput = { options, logLevel: log.level as LogLevel }
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
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
  const tell = (message: ToThread): void => worker.postMessage(message)
  const hand = createOutbox<ThreadRequest>((requests) => tell({ type: 'requests', requests }))

  const tellClient = (told: ForClients): void => {
    if (told[0] === 'push') {
      const [, connection, text] = told
      pushes.get(connection)?.(text)
      return
    }
    const [, id, text, ageMs] = told
    waiting.get(id)?.resolve({ text, ageMs })
    waiting.delete(id)
  }

  worker.on('message', (message: FromThread) => {
    switch (message.type) {
      case 'log':
        logLine(log, message.line)
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
      case 'account':
        listener.onAccountEvents?.(message.events)
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
