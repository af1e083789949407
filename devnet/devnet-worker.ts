// The program of the devnet's worker.
import { onFallback } from '../src/chain/bytes/secp256k1.ts'
import { loadPrecompiles } from '../src/evm/precompiles/table.ts'
import { runWorker } from '../src/lib/thread/run-worker.ts'
import { type DevnetAddresses, type DevnetOptions, startDevnet } from './devnet.ts'

export type DevnetWorker = {
  readonly input: DevnetOptions
  readonly ready: DevnetAddresses
  readonly toWorker: never
  readonly fromWorker: never
}

/** Precompiles work without the fast curve libraries, only slower, so loading them can wait until the rest of the process is up. */
const LOAD_CURVES_AFTER_MS = 5_000

await runWorker<DevnetWorker>(async ({ input, log, ready, stopRequested }) => {
  onFallback((error) => log.warn({ error }, 'the native secp256k1 does not load: signatures take 25 times as long'))
  const { stop, ...addresses } = await startDevnet(input, log)
  ready(addresses)
  setTimeout(loadPrecompiles, LOAD_CURVES_AFTER_MS).unref()
  await stopRequested
  await stop()
})
