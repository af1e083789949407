// A devnet in a thread of its own: it neither holds up the parent's event loop nor, with its large stack, overflows where contracts
// call each other 1,024 deep.
import { Worker } from 'node:worker_threads'
import { type Log, type LogLevel, logLine } from '../src/lib/log.ts'
import type { Devnet, DevnetAddresses, DevnetOptions } from './devnet.ts'

export type ThreadInput = { readonly options: DevnetOptions; readonly logLevel: LogLevel }

export type FromThread =
  | { readonly type: 'ready'; readonly addresses: DevnetAddresses }
  | { readonly type: 'log'; readonly line: string }

const STACK_MB = 32

/** `onDeath` is called if the thread ends without having been told to. */
export async function startDevnetWorker(
  options: DevnetOptions,
  { log, onDeath }: { log: Log; onDeath: (cause: Error) => void },
): Promise<Devnet> {
  const workerData: ThreadInput = { options, logLevel: log.level as LogLevel }
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    name: 'devnet',
    workerData,
    resourceLimits: { stackSizeMb: STACK_MB },
  })
  let cause: Error | undefined
  worker.on('error', (error) => {
    cause = error as Error
  })
  const { promise: died, resolve: die } = Promise.withResolvers<Error>()
  worker.on('exit', (code) => die(cause ?? new Error(`The devnet ended with code ${code}`)))
  const { promise: ready, resolve, reject } = Promise.withResolvers<DevnetAddresses>()
  worker.on('message', (message: FromThread) => {
    if (message.type === 'ready') resolve(message.addresses)
    else logLine(log, message.line)
  })
  died.then(reject)
  const addresses = await ready

  let isStopping = false
  died.then((error) => {
    if (!isStopping) onDeath(error)
  })
  return {
    ...addresses,
    async stop() {
      isStopping = true
      worker.postMessage('stop')
      await died
      if (cause !== undefined) throw cause
    },
  }
}
