// A whole devnet in this thread: the chain, its server, and the users that keep it busy.
import { bytesToBigint, hexToAddress, hexToBytes } from '../src/chain/bytes/hex.ts'
import { keccak256 } from '../src/chain/bytes/keccak.ts'
import type { Log } from '../src/lib/log.ts'
import type { DepositRequest, DevnetChain } from './chain/chain.ts'
import { createDevnetChain, forgetDevnetChain } from './chain/create-devnet-chain.ts'
import { FEED_PATH, startServer } from './server.ts'
import { runTraffic as happenings } from './traffic/driver.ts'
import type { Deposit } from './traffic/model/action.ts'

export type DevnetOptions = {
  /** 0 takes a free one. */
  readonly port: number
  readonly chainId: number
  readonly blockMs: number
  readonly flashblockMs: number
  /** Transactions a second that simulated users send; 0 is silence. */
  readonly tps: number
  readonly seed: string
  /** Where the chain is kept; null keeps it in memory. */
  readonly folder: string | null
  /** Forgets what the folder holds. */
  readonly reset: boolean
  /** By hand: blocks come only from `devnet_step` and `devnet_seal`. */
  readonly pace: 'clock' | 'by hand'
}

export type Devnet = DevnetAddresses & { stop(): Promise<void> }

export type DevnetAddresses = {
  readonly url: string
  readonly wsUrl: string
  readonly feedUrl: string
}

export async function startDevnet(options: DevnetOptions, log: Log): Promise<Devnet> {
  const { port, tps, seed, folder, reset, pace, ...rest } = options
  if (reset && folder !== null) forgetDevnetChain(folder)
  const chain = createDevnetChain({ ...rest, seed, folder, log })
  const server = await startServer({ chain, port, log })
  const url = `http://127.0.0.1:${server.port}`
  const wsUrl = `ws://127.0.0.1:${server.port}`
  const stopping = new AbortController()
  const running = pace === 'clock' ? chain.run(stopping.signal) : Promise.resolve()
  const living = live(chain, { url, tps, seed: numberFrom(seed), signal: stopping.signal }, log)
  return {
    url,
    wsUrl,
    feedUrl: `${wsUrl}${FEED_PATH}`,
    async stop() {
      stopping.abort()
      await Promise.all([running, living])
      await server.stop()
      await chain.close()
    },
  }
}

type Life = { readonly url: string; readonly tps: number; readonly seed: number; readonly signal: AbortSignal }

/** The users are clients like any other; only their deposits, which come from L1, are handed to the chain. */
async function live(chain: DevnetChain, life: Life, log: Log): Promise<void> {
  for await (const happening of happenings(life)) {
    if (happening.type === 'deposit') chain.deposit(depositRequest(happening.deposit))
    else if (happening.type === 'refused') log.debug({ reason: happening.reason }, 'a simulated user was refused')
  }
}

function depositRequest({ from, to, mint, value, data, gas }: Deposit): DepositRequest {
  return {
    from: hexToAddress(from),
    to: hexToAddress(to),
    mint,
    value,
    gasLimit: BigInt(gas),
    data: hexToBytes(data),
  }
}

const SEED_BYTES = 4

function numberFrom(seed: string): number {
  return Number(bytesToBigint(keccak256(new TextEncoder().encode(seed)), 0, SEED_BYTES))
}
