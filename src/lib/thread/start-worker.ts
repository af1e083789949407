// The parent's side of a thread: starts the file of a worker, carries typed messages both ways, writes the worker's log lines, and says
// when and why the worker ended. `run-worker.ts` is the other side.
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { type Log, type LogLevel, writeWorkerLine } from '../log.ts'
import type { ControlFromWorker, ControlToWorker, WorkerInput, WorkerTypes } from './run-worker.ts'

/** Node's default of 192 lets every thread hold about 100 MB of garbage more than this, and is not measurably faster. */
const YOUNG_MB = 48

export type WorkerOptions<T extends WorkerTypes> = {
  /** Names the thread in errors and in debuggers. */
  readonly name: string
  readonly file: URL
  readonly input: T['input']
  /** Without a log the lines of the worker are dropped. */
  readonly log?: Log
  readonly resourceLimits?: ResourceLimits
  readonly onMessage?: (message: T['fromWorker']) => void
  /** The worker ended though nobody stopped it. */
  readonly onDeath: (cause: Error) => void
}

export type WorkerHandle<T extends WorkerTypes> = {
  /** What the worker reported as ready; rejects with the cause where it ends before. */
  readonly ready: Promise<T['ready']>
  /** The error that ended the worker, or undefined. Never rejects. */
  readonly ended: Promise<Error | undefined>
  /** A message to a worker that has ended goes nowhere. */
  post(message: T['toWorker']): void
  /** Asks the worker to end after the messages posted before, and waits until it has; gives the error that it ended with, if any. */
  stop(): Promise<Error | undefined>
  /** Ends the worker in the middle of what it does. */
  kill(): Promise<void>
  /** The process may exit while this worker is running. */
  unref(): void
}

export function startWorker<T extends WorkerTypes>(options: WorkerOptions<T>): WorkerHandle<T> {
  const { name, file, input, log, resourceLimits = {}, onMessage, onDeath } = options
  const workerData: WorkerInput = { input, logLevel: (log?.level ?? 'silent') as LogLevel }
  const worker = new Worker(file, {
    name,
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, ...resourceLimits },
  })
  const { promise: ready, resolve: resolveReady, reject: rejectReady } = Promise.withResolvers<T['ready']>()
  // Where nobody waits for `ready`, onDeath still reports the cause.
  ready.catch(() => undefined)
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<Error | undefined>()
  let error: Error | undefined
  let isStopping = false

  worker.on('message', (message: T['fromWorker'] | ControlFromWorker) => {
    if (isControl(message)) {
      if (message.type === 'thread:ready') resolveReady(message.value)
      else if (log) writeWorkerLine(log, message.line)
    } else onMessage?.(message)
  })
  worker.on('error', (thrown) => {
    error = thrown as Error
  })
  worker.on('exit', (code) => {
    const cause = error ?? new Error(`The ${name} thread ended with code ${code}`)
    rejectReady(cause)
    resolveEnded(error)
    if (!isStopping) onDeath(cause)
  })

  return {
    ready,
    ended,
    post: (message) => worker.postMessage(message),
    stop() {
      isStopping = true
      worker.postMessage({ type: 'thread:stop' } satisfies ControlToWorker)
      return ended
    },
    async kill() {
      isStopping = true
      await worker.terminate()
    },
    unref: () => worker.unref(),
  }
}

function isControl(message: { readonly type: string }): message is ControlFromWorker {
  return message.type === 'thread:log' || message.type === 'thread:ready'
}
