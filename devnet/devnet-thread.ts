// A devnet in a thread of its own: it does not block the parent's event loop, and its stack is large enough for contracts that call
// each other 1,024 deep.
import type { Log } from '../src/lib/log.ts'
import { startWorker } from '../src/lib/thread/start-worker.ts'
import type { Devnet, DevnetOptions } from './devnet.ts'
import type { DevnetWorker } from './devnet-worker.ts'

const STACK_MB = 32

/** Resolves when the devnet answers. `onDeath` is called if the thread ends later though nobody stopped it. */
export async function startDevnetThread(
  options: DevnetOptions,
  { log, onDeath }: { log: Log; onDeath: (cause: Error) => void },
): Promise<Devnet> {
  let isReady = false
  const worker = startWorker<DevnetWorker>({
    name: 'devnet',
    file: new URL('./devnet-worker.ts', import.meta.url),
    input: options,
    log,
    resourceLimits: { stackSizeMb: STACK_MB },
    onDeath: (cause) => {
      if (isReady) onDeath(cause)
    },
  })
  const addresses = await worker.ready
  isReady = true
  return {
    ...addresses,
    async stop() {
      const error = await worker.stop()
      if (error !== undefined) throw error
    },
  }
}
