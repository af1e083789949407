// Devnets for tests: in memory, on a free port, in this thread or in one of their own.

import { type Devnet, type DevnetOptions, startDevnet } from '../../devnet/devnet.ts'
import { startDevnetThread } from '../../devnet/devnet-thread.ts'
import { createLog } from '../../src/lib/log.ts'
import { freePort } from './free-port.ts'

const devnetOptions: DevnetOptions = {
  port: 0,
  chainId: 1_337_200,
  blockMs: 250,
  flashblockMs: 50,
  tps: 0,
  seed: 'test',
  folder: null,
  reset: false,
  pace: 'clock',
}

const log = createLog({ level: 'warn', pretty: false })

/** Makes blocks only on request. */
export async function startStillDevnet(options: Partial<DevnetOptions> = {}): Promise<Devnet> {
  return startDevnet({ ...devnetOptions, pace: 'by hand', port: Number(await freePort()), ...options }, log)
}

/** Makes blocks by the clock, four a second. */
export async function startLivelyDevnet(options: Partial<DevnetOptions> = {}): Promise<Devnet> {
  return startDevnetThread(
    { ...devnetOptions, port: Number(await freePort()), ...options },
    {
      log,
      onDeath: (cause) => {
        throw cause
      },
    },
  )
}

type Answer = { readonly result?: unknown; readonly error?: { code: number; message: string; data?: unknown } }

/** One request; the whole answer, for tests of refusals. */
export async function ask(url: string, method: string, ...params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  return (await response.json()) as Answer
}

/** One request that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: what comes back is as many shapes as there are methods
export async function rpc(url: string, method: string, ...params: readonly unknown[]): Promise<any> {
  const { result, error } = await ask(url, method, ...params)
  if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
  return result
}
