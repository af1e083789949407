// Runs a devnet as the program of a worker thread: tells the parent its addresses and what it logs, and ends when told to.
import { parentPort, workerData } from 'node:worker_threads'
import { onFallback } from '../src/chain/bytes/secp256k1.ts'
import { loadPrecompiles } from '../src/evm/precompiles/table.ts'
import { createThreadLog } from '../src/lib/log.ts'
import { writeCompiled } from '../src/lib/thread/compile-cache.ts'
import { startDevnet } from './devnet.ts'
import type { FromThread, ThreadInput } from './worker.ts'

/** They are slower without, but they work, and whoever started this waits for other things first. */
const CURVES_AFTER_MS = 5_000

const { options, logLevel } = workerData as ThreadInput
const parent = parentPort!
function tell(message: FromThread) {
  return parent.postMessage(message)
}

const log = createThreadLog(logLevel, (line) => tell({ type: 'log', line }))

onFallback((error) => log.warn({ error }, 'the native secp256k1 does not load: signatures take 25 times as long'))
const { stop, ...addresses } = await startDevnet(options, log)
parent.once('message', async () => {
  await stop()
  parent.close()
})
tell({ type: 'ready', addresses })
writeCompiled()
setTimeout(loadPrecompiles, CURVES_AFTER_MS).unref()
