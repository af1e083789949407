// The worker's side of a thread: `runWorker` is all that the file of a worker calls. Input and messages are typed by one declaration that
// both sides name; `start-worker.ts` is the other side.
import { parentPort, workerData } from 'node:worker_threads'
import { createWorkerLog, type Log, type LogLevel } from '../log.ts'
import { flushCompileCacheSoon } from './compile-cache.ts'

/** What goes in and out of one kind of worker. All of it is plain data that can be cloned. */
export type WorkerTypes = {
  readonly input: unknown
  /** What the worker reports once, when it can be used; `undefined` where nobody waits for that. */
  readonly ready: unknown
  readonly toWorker: TypedMessage
  readonly fromWorker: TypedMessage
}

/** A type that begins with `thread:` is ours. */
type TypedMessage = { readonly type: string }

export type WorkerContext<T extends WorkerTypes> = {
  readonly input: T['input']
  /** Lines go to the log of the parent. */
  readonly log: Log
  /** Aborts when the parent asks the worker to stop, after all messages that the parent posted before. */
  readonly signal: AbortSignal
  /** Resolves when `signal` aborts. */
  readonly stopRequested: Promise<void>
  ready(value: T['ready']): void
  post(message: T['fromWorker']): void
  /** Messages that came before the handler was set are handled first. */
  onMessage(handler: (message: T['toWorker']) => void): void
}

export type WorkerInput = { readonly input: unknown; readonly logLevel: LogLevel }
export type ControlToWorker = { readonly type: 'thread:stop' }
export type ControlFromWorker =
  | { readonly type: 'thread:log'; readonly line: string }
  | { readonly type: 'thread:ready'; readonly value: unknown }

/** Runs the program of a worker. The worker ends when the program returns; an error that it throws reaches the parent as the cause. */
export async function runWorker<T extends WorkerTypes>(program: (context: WorkerContext<T>) => Promise<void>) {
  const parent = parentPort!
  const { input, logLevel } = workerData as WorkerInput
  const stopping = new AbortController()
  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>()
  stopping.signal.addEventListener('abort', () => requestStop())
  const early: T['toWorker'][] = []
  let handle = (message: T['toWorker']): void => void early.push(message)
  const postControl = (message: ControlFromWorker): void => parent.postMessage(message)
  parent.on('message', (message: T['toWorker'] | ControlToWorker) => {
    if (message.type === 'thread:stop') stopping.abort()
    else handle(message)
  })
  flushCompileCacheSoon()
  try {
    await program({
      input,
      log: createWorkerLog(logLevel, (line) => postControl({ type: 'thread:log', line })),
      signal: stopping.signal,
      stopRequested,
      ready: (value) => postControl({ type: 'thread:ready', value }),
      post: (message) => parent.postMessage(message),
      onMessage(handler) {
        handle = handler
        for (const message of early.splice(0)) handler(message)
      },
    })
  } finally {
    parent.close()
  }
}
